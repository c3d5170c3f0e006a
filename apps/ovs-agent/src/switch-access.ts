import type { OpenFlowConnection, Unixctl } from '@smalt/ovs';
import type { SwitchFacts } from '@smalt/switch-health';

import type { SwitchDatabase } from './observe/switch-database.ts';

/** The daemons that answer on a control socket. */
export const SWITCH_DAEMONS = ['ovs-vswitchd', 'ovsdb-server', 'ovn-controller'] as const;

export type SwitchDaemon = (typeof SWITCH_DAEMONS)[number];

/** How the parts of the agent reach Open vSwitch on this node. What it hands out is the agent's: it closes it. */
export interface SwitchAccess {
  /** Where sockets and pid files are looked for, in this order, as this process sees them. */
  readonly runDirectories: readonly string[];
  /** The session with the Open_vSwitch database. It comes back by itself; requests fail while it is away. */
  readonly database: SwitchDatabase;
  /** What is known of the switch at this moment. */
  facts(): SwitchFacts;
  /** The names of the bridges, sorted, as the database has them. */
  bridges(): readonly string[];
  /** The control connection of a daemon, kept open. Rejects with `not-running` where there is no such process. */
  unixctl(daemon: SwitchDaemon, signal: AbortSignal): Promise<Unixctl>;
  /** An OpenFlow connection of its own to a bridge, which the caller disposes of: a long dump is in nobody's way. */
  openFlow(bridge: string, signal: AbortSignal): Promise<OpenFlowConnection & AsyncDisposable>;
}
