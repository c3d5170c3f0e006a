import type { ApiServer } from '@smalt/apiserver';
import type { KubeClient } from '@smalt/kube';
import type { Logger } from '@smalt/service-runtime';

import type { HostAgents } from '../host/start-host-agents.ts';
import type { MachineAccounts } from '../virtual-machines/machine-accounts.ts';
import type { ControlHandlers } from './control-socket.ts';
import type { FollowedHost } from './follow-computes.ts';
import type { HostPowerPlaces } from './high-availability-settings.ts';
import type { HighAvailability } from './start-high-availability.ts';

export type Print = (line: string) => void;

/** What agents need of the control plane that they belong to. */
export interface AgentSurroundings {
  readonly server: ApiServer;
  /** The administrator of it. */
  readonly client: KubeClient;
  readonly accounts: MachineAccounts;
  readonly highAvailability: Pick<HighAvailability, 'url' | 'authorityFile' | 'reportFile'>;
  readonly log: Logger;
}

/**
 * The hosts of a `smalt up`: this machine, or several on it. Disposing of them after Ctrl-C shuts their guests down; after
 * anything else they run on, for the next start to adopt.
 */
export interface Fleet extends AsyncDisposable {
  /** Their Nodes. */
  readonly names: readonly string[];
  /** The hosts that are on this machine without being it. */
  readonly localHosts: readonly string[];
  /** The addresses of these. */
  readonly localAddresses: readonly string[];
  /** By which agents reach the control plane. */
  readonly address: string;
  /** Where the HA service listens there; 0 for any port. */
  readonly highAvailabilityPort: number;
  /** How hosts are switched off, where they can be. */
  readonly power: HostPowerPlaces | undefined;
  /** The hosts on this machine as Nova may have them. */
  readonly followedHosts: readonly FollowedHost[];
  /** What other commands may ask for. */
  readonly control: ControlHandlers;
  /** Lets the hosts have the images that this machine has by now. */
  shareImages(): Promise<void>;
  startAgents(around: AgentSurroundings, signal: AbortSignal): Promise<HostAgents>;
  /** Keeps going what has to, until the signal fires. */
  keep(print: Print, signal: AbortSignal): Promise<void>;
  /** What a person wants to know of them, as a table. */
  facts(signal: AbortSignal): Promise<string>;
  /** Prints what happens to domains, until the signal fires. */
  tellEvents(print: Print, now: () => Date, signal: AbortSignal): Promise<void>;
}
