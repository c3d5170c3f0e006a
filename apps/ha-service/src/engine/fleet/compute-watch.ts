import type { ComputeHost, HostIdentity } from '@smalt/compute';

import type { SignalBook } from './signal-book.ts';

/** What the compute system said of all hosts the last time it was asked. */
export class ComputeWatch {
  readonly #book: SignalBook;
  readonly #upSince = new Map<string, number>();
  /** Until when hosts count as not watched for long enough, if the compute system says nothing else before. */
  #unwatchedUntil: ReadonlyMap<string, number> = new Map();
  #hosts: ReadonlyMap<string, ComputeHost> = new Map();
  #reachableSince: number | undefined;
  #readAt: number | undefined;

  constructor(book: SignalBook) {
    this.#book = book;
  }

  /** Since when every refresh has been answered; undefined while that is not so. */
  get reachableSince(): number | undefined {
    return this.#reachableSince;
  }

  get readAt(): number | undefined {
    return this.#readAt;
  }

  hosts(): Iterable<ComputeHost> {
    return this.#hosts.values();
  }

  of(identity: HostIdentity | undefined): ComputeHost | undefined {
    const host = identity === undefined ? undefined : this.#hosts.get(identity.serviceId);
    return host?.hypervisorId === identity?.hypervisorId ? host : undefined;
  }

  /** The host that is registered under exactly this name. */
  named(name: string): ComputeHost | undefined {
    for (const host of this.#hosts.values()) if (host.name === name) return host;
    return undefined;
  }

  /** Since when the service of a host has been seen to be up at every refresh. */
  upSince(identity: HostIdentity | undefined): number | undefined {
    return identity === undefined ? undefined : this.#upSince.get(identity.serviceId);
  }

  /** Whether the compute system has not watched a host, known by its name in the fleet, for long enough to tell whether it lives. */
  isUnwatched(name: string, now: number): boolean {
    const until = this.#unwatchedUntil.get(name);
    return until !== undefined && (this.#reachableSince !== undefined || now <= until);
  }

  /**
   * Takes in a list that was asked for at `askedAt`. Up means that the host was heard of at most `serviceDownMs` before
   * that, unless nobody has watched it: then it may be of any age, and says neither that the host lives nor that it is dead.
   * Forced down says nothing about the host, only about who forced it.
   */
  take(listed: readonly ComputeHost[], askedAt: number, options: TakeOptions): void {
    this.#hosts = new Map(listed.map((host) => [host.serviceId, host]));
    this.#reachableSince ??= askedAt;
    this.#readAt = askedAt;
    this.#unwatchedUntil = unwatchedOf(listed, askedAt, options);
    for (const host of listed) this.#hear(host, askedAt, options);
    for (const serviceId of this.#upSince.keys()) {
      if (!this.#hosts.has(serviceId)) this.#upSince.delete(serviceId);
    }
  }

  /** A refresh failed: from now on it is not known what the compute system thinks. */
  lose(): void {
    this.#reachableSince = undefined;
    this.#upSince.clear();
  }

  #hear(host: ComputeHost, askedAt: number, { nameOf, serviceDownMs }: TakeOptions): void {
    const isUnwatched = host.isUnwatched === true;
    const isSeenUp = host.isUp && !isUnwatched;
    if (isSeenUp && !this.#upSince.has(host.serviceId)) this.#upSince.set(host.serviceId, askedAt);
    if (!isSeenUp) this.#upSince.delete(host.serviceId);
    const name = nameOf(host);
    if (name === undefined) return;
    // What it says now ends what it said before, even if the life it tells of is older than that.
    if (host.isForcedDown || host.isUp) this.#book.silent(name, 'compute-service');
    if (host.isForcedDown || isUnwatched) return;
    if (host.isUp) this.#book.alive(name, 'compute-service', askedAt - serviceDownMs, askedAt);
    else this.#book.dead(name, 'compute-service', askedAt);
  }
}

interface TakeOptions {
  /** The name under which the fleet knows a host of the compute system. */
  readonly nameOf: (host: ComputeHost) => string | undefined;
  readonly serviceDownMs: number;
}

/** By names in the fleet: where no list can be had any more, no host is unwatched for longer than a service may be silent. */
function unwatchedOf(
  listed: readonly ComputeHost[],
  askedAt: number,
  { nameOf, serviceDownMs }: TakeOptions,
): ReadonlyMap<string, number> {
  const until = new Map<string, number>();
  for (const host of listed) {
    const name = host.isUnwatched === true ? nameOf(host) : undefined;
    if (name !== undefined) until.set(name, askedAt + serviceDownMs);
  }
  return until;
}
