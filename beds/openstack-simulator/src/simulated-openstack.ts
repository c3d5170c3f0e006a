import type { Behaviour } from './behaviour.ts';
import type { Call } from './call-log.ts';
import type { Fault, InjectedFault } from './faults.ts';

/** A hypervisor to be simulated. */
export interface SimulatedHost {
  /** Its hypervisor_hostname, and the name of its resource provider. */
  readonly name: string;
  /** The name of its compute service; the same by default. */
  readonly serviceHost?: string | undefined;
  /** 64 by default. */
  readonly vcpus?: number | undefined;
  /** 262144 by default. */
  readonly memoryMiB?: number | undefined;
  /** 4000 by default. */
  readonly diskGiB?: number | undefined;
  /** Puts it into the aggregate of that name, which is also an availability zone; none by default. */
  readonly zone?: string | undefined;
  /** Traits beyond those that every host has. */
  readonly traits?: readonly string[] | undefined;
  /** `enabled` by default. */
  readonly status?: 'enabled' | 'disabled' | undefined;
  readonly disabledReason?: string | undefined;
  /** Whether its compute service is heard of; true by default. */
  readonly isUp?: boolean | undefined;
}

/** What can be changed of a host from outside of the API. */
export type HostChange = Pick<
  SimulatedHost,
  'isUp' | 'status' | 'disabledReason' | 'vcpus' | 'memoryMiB' | 'diskGiB'
> & {
  readonly isForcedDown?: boolean | undefined;
  /** Whether the cell it is in answers; true by default. */
  readonly isReachable?: boolean | undefined;
};

/** A host as the cloud has it now. */
export interface HostSnapshot {
  readonly name: string;
  readonly serviceHost: string;
  readonly hypervisorId: string;
  readonly serviceId: string;
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason: string | undefined;
  readonly isForcedDown: boolean;
  readonly isUp: boolean;
  readonly zone: string;
  /** The names of the aggregates it is in. */
  readonly aggregates: readonly string[];
  readonly traits: readonly string[];
  readonly serverIds: readonly string[];
  /** Servers whose guests it has too, although Nova has them elsewhere: left over by an evacuation, or there twice. */
  readonly strayIds: readonly string[];
}

export interface SimulatedFlavor {
  readonly vcpus: number;
  readonly memoryMiB: number;
  readonly diskGiB: number;
  readonly extraSpecs: Readonly<Record<string, string>>;
}

/** A server to be simulated, there from the beginning. */
export interface SimulatedServer {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** `ACTIVE` by default; any status of Nova's that does not pass by itself. */
  readonly status?: string | undefined;
  /** A task it is busy with, for as long as the test lasts. */
  readonly taskState?: string | undefined;
  /** 1 CPU, 512 MiB, 1 GiB of disk by default. */
  readonly flavor?: Partial<SimulatedFlavor> | undefined;
  /** The name of a project; `admin` by default. */
  readonly project?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly isLocked?: boolean | undefined;
  readonly volumeIds?: readonly string[] | undefined;
  readonly imageId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly fault?: string | undefined;
  readonly behaviour?: Partial<Behaviour> | undefined;
}

/** A server as the cloud has it now. */
export interface ServerSnapshot {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly taskState: string | undefined;
  /** The name of the hypervisor it is on. */
  readonly host: string | undefined;
  readonly project: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly fault: string | undefined;
}

/** A move as its record has it now. */
export interface MoveSnapshot {
  readonly id: number;
  readonly serverId: string;
  readonly type: 'live-migration' | 'migration' | 'evacuation';
  readonly status: string;
  readonly source: string;
  readonly destination: string | undefined;
  /** When it was asked for, in milliseconds since 1970. */
  readonly begunAt: number;
  /** When its record said that it is over; undefined while it is not. */
  readonly endedAt: number | undefined;
}

export interface SimulatedOpenStackOptions {
  readonly hosts?: readonly (string | SimulatedHost)[] | undefined;
  /** How long every answer takes at least; 0 by default. */
  readonly latencyMs?: number | undefined;
  readonly behaviour?: Partial<Behaviour> | undefined;
  /** Aggregates that there are from the beginning; by default none. */
  readonly aggregates?: readonly (string | { readonly name: string; readonly zone?: string })[] | undefined;
  /** How long tokens live; an hour by default. */
  readonly tokenSeconds?: number | undefined;
  /** The newest compute API it knows; 2.95 by default. */
  readonly newestComputeVersion?: `2.${number}` | undefined;
  /** How many calls are kept; 200,000 by default. All are counted. */
  readonly mostCalls?: number | undefined;
  /** A free one by default. */
  readonly port?: number | undefined;
}

export type SimulatedService = 'identity' | 'compute' | 'placement' | 'image' | 'network';

/** A simulated OpenStack on loopback. */
export interface SimulatedOpenStack extends AsyncDisposable {
  readonly authUrl: string;
  readonly endpoints: Readonly<Record<SimulatedService, string>>;
  /** The variables that OpenStack's clients read: for the administrator, or for `member` of the project `test`. */
  environment(user?: 'admin' | 'member'): Readonly<Record<string, string>>;

  addHost(host: string | SimulatedHost): HostSnapshot;
  changeHost(name: string, change: HostChange): HostSnapshot;
  /** Makes it vanish at once, with its servers. Nova's own way is `DELETE /os-services/{id}`. */
  removeHost(name: string): void;
  /** The host, or undefined when it is not registered. */
  host(name: string): HostSnapshot | undefined;
  hosts(): readonly HostSnapshot[];

  /** Makes a trait known to Placement. */
  addTrait(name: string): void;
  /** Makes an aggregate and gives its id. */
  addAggregate(name: string, options?: AggregateOptions): number;
  /** Puts a server on a host and gives its id. */
  addServer(host: string, server?: SimulatedServer): string;
  removeServer(id: string): void;
  /**
   * Switches its guest off by itself. Its server stays ACTIVE, with the power state of a guest that is off; one that
   * `isNoticed` Nova has stopped, with nobody's name to it.
   */
  stopGuest(id: string, options?: { readonly isNoticed?: boolean }): void;
  server(id: string): ServerSnapshot | undefined;
  serversOn(host: string): readonly ServerSnapshot[];
  servers(): readonly ServerSnapshot[];
  /** All moves there have been, the oldest first. */
  moves(): readonly MoveSnapshot[];
  /** Allocates resources of a host to some consumer that is no server. */
  allocate(host: string, consumer: string, resources: Readonly<Record<string, number>>): void;

  /** Changes how things go from now on, for all servers or for one. */
  behave(change: Partial<Behaviour>, serverId?: string): void;
  /** Changes how long every answer takes at least. */
  setLatency(latencyMs: number): void;
  /** Makes requests fail; the newest fault that matches wins. */
  inject(fault: Fault): InjectedFault;
  /** Makes all tokens there are unknown. */
  expireTokens(): void;

  /** The calls that were answered, the oldest first; logins and questions for versions are among them. */
  readonly calls: readonly Call[];
  /** How many calls match `service METHOD path`, such as `/compute POST .*action/` or 'compute GET /os-aggregates'. */
  countOf(pattern: RegExp | string): number;
  /** How many calls there were, by `service METHOD path` with names for ids. */
  counts(): Readonly<Record<string, number>>;
  forgetCalls(): void;
}

export interface AggregateOptions {
  readonly zone?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly hosts?: readonly string[] | undefined;
}
