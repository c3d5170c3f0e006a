import { setTimeout as delay } from 'node:timers/promises';

import type { CableOptions } from './add-cable.ts';
import { OvsBedError } from './error.ts';
import type { NodeNetwork } from './node-network.ts';

const POLL_MS = 50;

export interface BondOptions {
  /** Where the bond is; the bridge is there already. `br-provider` by default. */
  readonly bridge?: string;
  readonly name?: string;
  readonly members?: readonly [string, string, ...string[]];
  readonly mode?: 'active-backup' | 'balance-slb' | 'balance-tcp';
  /** `active` by default. */
  readonly lacp?: 'active' | 'passive' | 'off';
  /** Of the cables; as fast as the kernel says of virtual ones where it is left out. Needs the datapath `netdev`. */
  readonly speedMbps?: number;
  /** The switch at the other end of the cables: a bridge that is made for it, with a bond of its own. `br-tor` by default. */
  readonly partnerBridge?: string;
}

/** Links to a switch that were joined, with a partner that really talks LACP. */
export interface Bond {
  readonly name: string;
  readonly members: readonly string[];
  /** The bond of the partner and the far ends of the cables, in the order of the members. */
  readonly partner: { readonly bridge: string; readonly name: string; readonly members: readonly string[] };
  /** Resolves once all members carry traffic, and LACP has agreed on it where it is on. */
  settled(timeoutMs?: number): Promise<void>;
}

interface BondOwner {
  readonly network: NodeNetwork | undefined;
  readonly runDirectory: string;
  vsctl(...parameters: readonly string[]): Promise<string>;
  appctl(target: string, ...parameters: readonly string[]): Promise<string>;
  addVeth(device: string, peer: string): Promise<void>;
  addCable(options: CableOptions): Promise<void>;
}

/** Joins links to one bond, and the other ends of their cables to a bond of another bridge of the same node. */
export async function addBond(node: BondOwner, options: BondOptions): Promise<Bond> {
  const { bridge = 'br-provider', name = 'bond0', members = ['eno1', 'eno2'], partnerBridge = 'br-tor' } = options;
  const far = members.map((member) => farEnd(member));
  const settings = bondSettings(options);
  if (node.network) await realCables(node, members, options.speedMbps);
  const cables = node.network ? [] : members.flatMap((member) => dummyCable(node, member));
  // Both ends of LACP in one process need different addresses, or they take themselves for a loop.
  const apart = ['datapath_type=netdev', 'other-config:hwaddr=aa:66:aa:66:00:00'];
  const commands = [
    ['add-br', partnerBridge],
    ['set', 'bridge', partnerBridge, ...apart],
    ['add-bond', bridge, name, ...members, ...settings],
    ['add-bond', partnerBridge, `${name}-far`, ...far, ...settings],
    ...cables,
  ];
  await node.vsctl(...commands.flatMap((command) => ['--', ...command]));
  const lacp = (options.lacp ?? 'active') !== 'off';
  return {
    name,
    members,
    partner: { bridge: partnerBridge, name: `${name}-far`, members: far },
    settled: (timeoutMs = 15_000) => settled(node, { name, members: members.length, lacp }, timeoutMs),
  };
}

function bondSettings({ lacp = 'active', mode }: BondOptions): readonly string[] {
  const bondMode = mode ?? (lacp === 'off' ? 'active-backup' : 'balance-tcp');
  // Fast: a silent partner is noticed after three seconds rather than ninety.
  return [`lacp=${lacp}`, `bond_mode=${bondMode}`, 'other-config:lacp-time=fast'];
}

function farEnd(member: string): string {
  return `${member}-far`;
}

async function realCables(node: BondOwner, members: readonly string[], speedMbps: number | undefined): Promise<void> {
  for (const device of members) {
    const peer = farEnd(device);
    if (speedMbps === undefined) await node.addVeth(device, peer);
    else await node.addCable({ device, peer, speedMbps });
  }
}

function dummyCable({ runDirectory }: BondOwner, near: string): readonly (readonly string[])[] {
  const socket = `unix:${runDirectory}/${near}.sock`;
  return [
    ['set', 'interface', near, 'type=dummy', `options:pstream=p${socket}`],
    ['set', 'interface', farEnd(near), 'type=dummy', `options:stream=${socket}`],
  ];
}

interface Wanted {
  readonly name: string;
  readonly members: number;
  readonly lacp: boolean;
}

async function settled(node: BondOwner, wanted: Wanted, timeoutMs: number): Promise<void> {
  const deadline = AbortSignal.timeout(timeoutMs);
  for (;;) {
    const state = await node.appctl('ovs-vswitchd', 'bond/show', wanted.name);
    const enabled = state.match(/^member \S+: enabled$/gm)?.length ?? 0;
    const agreed = !wanted.lacp || state.includes('lacp_status: negotiated');
    if (agreed && enabled === wanted.members) return;
    if (deadline.aborted) throw new OvsBedError('wait-timeout', `${wanted.name} did not settle: ${state}`);
    await delay(POLL_MS);
  }
}
