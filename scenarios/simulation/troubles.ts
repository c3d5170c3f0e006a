import { hostPath, hostPaths, servicePath, servicePaths, type HostPath, type ServicePath } from './network.ts';
import type { SimulatedAgents } from './simulated-agents.ts';
import { isAwake, type SimulatedHost } from './simulated-host.ts';
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
} as const;
export type Trouble = (typeof Trouble)[keyof typeof Trouble];

/** How often each is met in a story in which anything may happen. */
export const allTroubles: readonly (readonly [Trouble, number])[] = [
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
  ['guest-crash', 3],
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
      return troubleServers(kind, stage);
    case 'kill':
    case 'kill-at-call':
    case 'stall':
    case 'all-down':
      return troubleService(kind, stage);
    case 'guest-crash':
      return crashGuest(stage, agents);
  }
}

type HostTrouble = BreakTrouble | CutTrouble | ProgramTrouble;
type BreakTrouble = 'power-loss' | 'panic' | 'reboot' | 'freeze';
type CutTrouble = 'isolation' | 'cut' | 'flapping';
type ProgramTrouble = 'agent-gone' | 'compute-gone';

function troubleHost(kind: HostTrouble, stage: Stage): void {
  const { world, dice } = stage;
  const awake = world.hosts.filter((host) => isAwake(host));
  if (awake.length === 0) return;
  const host = dice.pick(awake);
  const forMs = dice.between(60, 420) * 1000;
  switch (kind) {
    case 'power-loss':
    case 'panic':
    case 'reboot':
    case 'freeze':
      return breakHost(kind, stage, host, forMs);
    case 'isolation':
      return cutPaths(
        stage,
        host,
        spared(host, hostPaths).filter((path) => path !== 'bmc'),
        forMs,
      );
    case 'cut':
      return cutPaths(stage, host, spared(host, dice.some(hostPaths, 0.5)), forMs);
    case 'flapping':
      return flap(stage, host, dice.between(3, 8));
    case 'agent-gone':
    case 'compute-gone':
      return endProgram(kind, stage, host, forMs);
  }
}

function breakHost(kind: BreakTrouble, stage: Stage, host: SimulatedHost, forMs: number): void {
  const { world, scheduler, dice } = stage;
  switch (kind) {
    case 'power-loss':
      return loseMains(stage, host);
    case 'panic':
      return world.panic(host);
    case 'reboot':
      world.panic(host);
      scheduler.after(dice.between(30, 400) * 1000, () => world.boot(host));
      return;
    case 'freeze':
      // A host whose BMC lies and that writes nothing looks dead to all: the limit that is documented.
      if (host.bmc === 'lies') return;
      world.freeze(host);
      stage.trouble(`${host.name} is frozen`, forMs, () => world.thaw(host));
  }
}

function endProgram(kind: ProgramTrouble, stage: Stage, host: SimulatedHost, forMs: number): void {
  if (kind === 'agent-gone') {
    host.isAgentRunning = false;
    stage.trouble(`the agent of ${host.name} is gone`, forMs, () => {
      host.isAgentRunning = true;
    });
    return;
  }
  host.isComputeRunning = false;
  stage.trouble(`the compute service of ${host.name} is gone`, forMs, () => {
    if (host.isComputeRunning || !host.isBooted) return;
    host.isComputeRunning = true;
    stage.nova.computeStarted(host);
  });
}

/** Storage is the only one that sees through a BMC that lies, so it is not taken away from such a host. */
function spared(host: SimulatedHost, paths: readonly HostPath[]): readonly HostPath[] {
  return paths.filter((path) => path !== 'storage' || host.bmc !== 'lies');
}

/** Takes the mains away until somebody repairs them. */
function loseMains(stage: Stage, host: SimulatedHost): void {
  host.hasMains = false;
  stage.world.powerOff(host, 'its mains are gone');
}

function cutPaths(stage: Stage, host: SimulatedHost, paths: readonly HostPath[], forMs: number): void {
  const { network } = stage.world;
  const keys = paths.map((path) => hostPath(host.name, path));
  for (const key of keys) network.cut(key);
  stage.trouble(`${host.name} is cut from ${paths.join(', ') || 'nothing'}`, forMs, () => {
    for (const key of keys) network.heal(key);
  });
}

function flap(stage: Stage, host: SimulatedHost, times: number): void {
  if (stage.isCalm) return;
  const paths = spared(host, stage.dice.some(hostPaths, 0.6));
  const forMs = stage.dice.between(20, 200) * 1000;
  cutPaths(stage, host, paths, forMs);
  if (times > 1) stage.scheduler.after(forMs + stage.dice.between(5, 90) * 1000, () => flap(stage, host, times - 1));
}

function troubleMany(kind: 'rack' | 'site' | 'service-cut', stage: Stage): void {
  const { world, dice } = stage;
  if (kind === 'service-cut') {
    cutService(stage);
    return;
  }
  const rack = dice.pick(world.hosts).rack;
  const hosts = world.hosts.filter((host) => kind === 'site' || host.rack === rack);
  const isPower = dice.chance(0.4);
  const forMs = dice.between(60, 400) * 1000;
  for (const host of hosts) {
    if (isPower) loseMains(stage, host);
    else cutPaths(stage, host, spared(host, hostPaths), forMs);
  }
}

/** The switch of one replica, or of all: whatever shape, nothing of what they cannot see is death. */
function cutService(stage: Stage): void {
  const { dice, world, replicas } = stage;
  const paths: readonly ServicePath[] = dice.chance(0.4) ? servicePaths : dice.some(servicePaths, 0.4);
  const touched = dice.chance(0.6) ? replicas : [dice.pick(replicas)];
  const keys = touched.flatMap(({ name }) => paths.map((path) => servicePath(name, path)));
  for (const key of keys) world.network.cut(key);
  stage.trouble(
    `${touched.map(({ name }) => name).join(', ')} cannot reach ${paths.join(', ')}`,
    dice.between(20, 300) * 1000,
    () => {
      for (const key of keys) world.network.heal(key);
    },
  );
}

type ServerTrouble = 'kubernetes-down' | 'nova-down' | 'nova-slow' | 'store-down' | 'store-slow';

function troubleServers(kind: ServerTrouble, stage: Stage): void {
  const { kubernetes, nova, storeServer, dice } = stage;
  const forMs = dice.between(10, 240) * 1000;
  switch (kind) {
    case 'kubernetes-down':
      kubernetes.isDown = true;
      return stage.trouble('the API server is down', forMs, () => {
        kubernetes.isDown = false;
      });
    case 'nova-down':
      nova.isDown = true;
      return stage.trouble('the compute API is down', forMs, () => {
        nova.isDown = false;
      });
    case 'nova-slow':
      nova.listDelayMs = 12_000;
      return stage.trouble('the compute API is slow', forMs, () => {
        nova.listDelayMs = 800;
      });
    case 'store-down':
      storeServer.isDown = true;
      return stage.trouble('the store is down', forMs, () => {
        storeServer.isDown = false;
      });
    case 'store-slow':
      storeServer.delayMs = 4_000;
      return stage.trouble('the store is slow', forMs, () => {
        storeServer.delayMs = 40;
      });
  }
}

function troubleService(kind: 'kill' | 'kill-at-call' | 'stall' | 'all-down', stage: Stage): void {
  const { dice, replicas, scheduler } = stage;
  const leader = replicas.find(({ isLeading }) => isLeading) ?? dice.pick(replicas);
  const downMs = dice.between(2, 120) * 1000;
  // The wall clock of a machine may be anything when it starts again.
  const clockErrorMs = dice.chance(0.3) ? dice.between(-7_200, 7_200) * 1000 : leader.clockErrorMs;
  switch (kind) {
    case 'kill':
      leader.clockErrorMs = clockErrorMs;
      return leader.kill('by chance', downMs);
    case 'kill-at-call':
      return dice.chance(0.5)
        ? doom(stage, downMs)
        : scheduler.at(nextQuarrel(stage), () => doom(stage, downMs)) && undefined;
    case 'stall':
      return leader.stall(dice.between(5, 240) * 1000);
    case 'all-down':
      for (const replica of replicas) {
        replica.clockErrorMs = dice.chance(0.5) ? dice.between(-7_200, 7_200) * 1000 : replica.clockErrorMs;
        replica.kill('all are', downMs);
      }
  }
}

function nextQuarrel(stage: Stage): number {
  return stage.scheduler.now + stage.dice.between(60, 240) * 1000;
}

/** Kills the leader within its next calls: at an await that only luck would find. */
function doom(stage: Stage, downMs: number): void {
  const leader = stage.replicas.find(({ isLeading }) => isLeading);
  const when = stage.dice.chance(0.5) ? 'before' : 'after';
  leader?.process?.doom(stage.dice.between(1, 40), when, () => leader.kill(`${when} a call`, downMs));
}

function crashGuest(stage: Stage, agents: SimulatedAgents): void {
  const { world, nova, dice } = stage;
  const able = [...nova.servers.values()].filter((server) => {
    const host = world.host(server.host);
    return server.status === 'ACTIVE' && isAwake(host) && world.guests.get(server.id)?.places.has(host.name) === true;
  });
  if (able.length === 0) return;
  const server = dice.pick(able);
  const host = world.host(server.host);
  stage.story.tell(`${server.id} crashes on ${host.name}`);
  world.stopGuest(server.id, host);
  // Nova looks only now and then.
  stage.scheduler.after(dice.between(300, 600) * 1000, () => {
    const isHere = world.guests.get(server.id)?.places.has(server.host) === true;
    if (server.status === 'ACTIVE' && server.host === host.name && isAwake(host) && !isHere) nova.findOff(server);
  });
  const domain = { uuid: server.id, name: server.id };
  agents.see(host, { kind: 'lifecycle', domain, event: 'crashed', detail: 'panicked' });
}
