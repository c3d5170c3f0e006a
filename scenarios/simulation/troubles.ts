import { crashGuest, troubleHost, troubleMany } from './host-troubles.ts';
import { troubleServers, troubleService } from './service-troubles.ts';
import type { SimulatedAgents } from './simulated-agents.ts';
import type { Stage } from './stage.ts';

/** What can go wrong. Each begins now and ends by itself, or with a repair. */
export const Trouble = {
  powerLoss: 'power-loss',
  panic: 'panic',
  reboot: 'reboot',
  freeze: 'freeze',
  cut: 'cut',
  isolation: 'isolation',
  flapping: 'flapping',
  agentGone: 'agent-gone',
  computeGone: 'compute-gone',
  rack: 'rack',
  site: 'site',
  serviceCut: 'service-cut',
  kubernetesDown: 'kubernetes-down',
  novaDown: 'nova-down',
  novaSlow: 'nova-slow',
  storeDown: 'store-down',
  storeSlow: 'store-slow',
  kill: 'kill',
  killAtCall: 'kill-at-call',
  stall: 'stall',
  allDown: 'all-down',
  guestCrash: 'guest-crash',
  kdump: 'kdump',
  novaCell: 'nova-cell',
  staleWatch: 'stale-watch',
  storeClock: 'store-clock',
  wallClock: 'wall-clock',
} as const;
export type Trouble = (typeof Trouble)[keyof typeof Trouble];

/** Troubles, and how often each is met. */
export type TroubleTable = readonly (readonly [Trouble, number])[];

/** How often each is met in a story in which anything may happen. */
export const allTroubles: TroubleTable = [
  ['power-loss', 24],
  ['panic', 20],
  ['reboot', 4],
  ['freeze', 9],
  ['cut', 8],
  ['isolation', 22],
  ['flapping', 3],
  ['agent-gone', 2],
  ['compute-gone', 2],
  ['rack', 3],
  ['site', 1],
  ['service-cut', 4],
  ['kubernetes-down', 2],
  ['nova-down', 2],
  ['nova-slow', 2],
  ['store-down', 2],
  ['store-slow', 2],
  ['kill', 4],
  ['kill-at-call', 12],
  ['stall', 7],
  ['all-down', 2],
  ['guest-crash', 5],
  ['kdump', 3],
  ['nova-cell', 2],
  ['stale-watch', 3],
  ['store-clock', 2],
  ['wall-clock', 2],
];

/** What takes a host away, or seems to. */
export const deadly: readonly Trouble[] = [
  'power-loss',
  'power-loss',
  'panic',
  'panic',
  'isolation',
  'freeze',
  'kdump',
];

/** What may go wrong while the service is busy with a dead host. */
export const companions: TroubleTable = [
  ['kill-at-call', 30],
  ['kill', 8],
  ['stall', 10],
  ['all-down', 3],
  ['service-cut', 8],
  ['nova-down', 6],
  ['nova-slow', 4],
  ['nova-cell', 4],
  ['store-down', 5],
  ['store-slow', 4],
  ['kubernetes-down', 4],
  ['stale-watch', 4],
  ['wall-clock', 2],
  ['power-loss', 6],
  ['isolation', 6],
  ['compute-gone', 4],
  ['guest-crash', 4],
];

/** Brings about one trouble, with chance as to whom and how long. */
export function beginTrouble(kind: Trouble, stage: Stage, agents: SimulatedAgents): void {
  switch (kind) {
    case 'power-loss':
    case 'panic':
    case 'reboot':
    case 'freeze':
    case 'isolation':
    case 'cut':
    case 'flapping':
    case 'agent-gone':
    case 'compute-gone':
    case 'kdump':
      return troubleHost(kind, stage);
    case 'rack':
    case 'site':
    case 'service-cut':
      return troubleMany(kind, stage);
    case 'kubernetes-down':
    case 'nova-down':
    case 'nova-slow':
    case 'store-down':
    case 'store-slow':
    case 'nova-cell':
    case 'store-clock':
      return troubleServers(kind, stage);
    case 'kill':
    case 'kill-at-call':
    case 'stall':
    case 'all-down':
    case 'stale-watch':
    case 'wall-clock':
      return troubleService(kind, stage);
    case 'guest-crash':
      return crashGuest(stage, agents);
  }
}
