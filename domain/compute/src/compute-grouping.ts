import type { HostIdentity } from './compute-host.ts';

/** A named group of hosts. */
export interface ComputeAggregate {
  readonly id: string;
  readonly uuid: string;
  readonly name: string;
  /** undefined when nothing is noted at all. */
  readonly metadata: Readonly<Record<string, string>> | undefined;
}

export interface AggregateMembership {
  /** Every aggregate there is. */
  readonly known: readonly ComputeAggregate[];
  /** The ids of those that the host is in. */
  readonly joined: ReadonlySet<string>;
}

export interface ComputeAggregates {
  /** As of now, or of a moment ago: a host that has just joined elsewhere may be missing for some seconds. */
  membership(host: HostIdentity, signal: AbortSignal): Promise<AggregateMembership>;
  /** Puts the host in; one that is in already is no failure. */
  join(host: HostIdentity, aggregate: ComputeAggregate, signal: AbortSignal): Promise<void>;
  /** Takes the host out; one that is out already is no failure. */
  leave(host: HostIdentity, aggregate: ComputeAggregate, signal: AbortSignal): Promise<void>;
}

/** All traits of a host, and the version of that list. */
export interface HostTraits {
  readonly generation: number;
  readonly traits: readonly string[];
}

export interface ComputeTraits {
  get(host: HostIdentity, signal: AbortSignal): Promise<HostTraits>;
  /** Replaces all traits; custom ones nobody has had yet are made. Fails as `stale` if others were quicker. */
  set(host: HostIdentity, traits: HostTraits, signal: AbortSignal): Promise<HostTraits>;
}
