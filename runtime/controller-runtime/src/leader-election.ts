import { isAlreadyExists, isConflict, isNotFound, type ResourceClient } from '@smalt/kube';
import { microTime } from '@smalt/kubernetes';

import { systemClock, type Clock } from './clock.ts';
import { Deadline } from './deadline.ts';
import type { Lease } from './lease.ts';

/** The defaults of Kubernetes' own components. */
export const LEASE_MS = 15_000;
export const RENEW_DEADLINE_MS = 10_000;
const RETRY_MS = 2_000;
/** How much of its time a renewal waits at least, among others that went well. */
const STEADY = 0.8;

export interface LeaderElectionOptions {
  readonly name: string;
  readonly namespace: string;
  /** Who we are; no two candidates may share it. */
  readonly identity: string;
  /** Written on the Lease while it is ours, such as where the leader is found. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** How long others wait after the last sign of a leader. */
  readonly leaseMs?: number | undefined;
  /** How long a leader tries to renew before it gives up; less than the lease, so that two never lead at once. */
  readonly renewDeadlineMs?: number | undefined;
  /** How long after a try that failed the next one is made. */
  readonly retryMs?: number | undefined;
  /** How long after a renewal the next one is made. As long as after a failure, where it is not given. */
  readonly renewMs?: number | undefined;
  /**
   * From 0 to 1. Where it is given, renewals come up to a fifth earlier than `renewMs`, and the first one after the lease was
   * taken, or could not be renewed, at any time before: those of a fleet do not stay together.
   */
  readonly random?: (() => number) | undefined;
  readonly clock?: Clock | undefined;
  readonly onChange?: ((isLeader: boolean) => void) | undefined;
  /** Told of tries that failed; there will be another. */
  readonly onFailure: (error: unknown) => void;
}

/** Where leases are kept: `client.resource(leaseKind)`. */
export type LeaseClient = Pick<ResourceClient<Lease>, 'create' | 'get' | 'replace'>;

/** Who leads, as far as the Lease says. */
export interface LeaseHolder {
  readonly identity: string;
  readonly annotations: Readonly<Record<string, string>>;
}

type Attempt =
  /** The lease is ours; others count from when they saw that, which is not before `sentAt`. */
  { readonly kind: 'held'; readonly sentAt: number } | { readonly kind: 'taken' } | { readonly kind: 'failed' };

/** Sees to it that of several candidates one leads, by a Lease that the leader renews. */
export class LeaderElection {
  readonly #client: LeaseClient;
  readonly #options: LeaderElectionOptions;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #renewDeadlineMs: number;
  readonly #retryMs: number;
  readonly #renewMs: number;
  /** What was seen, and when by our own clock: those of two machines differ, so times in a Lease are not compared. */
  #observed: { readonly version: string; readonly at: number; readonly lease: Lease } | undefined;
  #isLeading = false;
  /** The lease as our last write left it. */
  #held: Lease | undefined;
  /** When the renewal was sent by which the lease is ours, by both clocks: the steady one may stand still in a sleep. */
  #renewed: { readonly at: number; readonly wallAt: number } | undefined;

  constructor(client: LeaseClient, options: LeaderElectionOptions) {
    this.#client = client;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    this.#renewDeadlineMs = options.renewDeadlineMs ?? RENEW_DEADLINE_MS;
    this.#retryMs = options.retryMs ?? RETRY_MS;
    this.#renewMs = options.renewMs ?? this.#retryMs;
    if (this.#renewDeadlineMs >= this.#leaseMs || Math.max(this.#retryMs, this.#renewMs) >= this.#renewDeadlineMs) {
      throw new RangeError(
        'leader election: retries and renewals must be less apart than the renew deadline, and that less than the lease',
      );
    }
  }

  /**
   * Waits to become the leader, then runs `lead`, whose signal fires when leadership is lost or the signal given does; in
   * the first case it has to have stopped by the time the lease is over. The lease is renewed until `lead` has ended, and
   * given up then, unless `lead` rejects: something may still be going on. Returns whether it ever led.
   */
  async run(lead: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<boolean> {
    const acquiredAt = await this.#acquire(signal);
    if (acquiredAt === undefined) return false;
    this.#isLeading = true;
    this.#options.onChange?.(true);
    const losing = new AbortController();
    const ending = new AbortController();
    const renewing = this.#renew(acquiredAt, losing, ending.signal);
    try {
      await lead(AbortSignal.any([signal, losing.signal]));
    } finally {
      ending.abort();
      await renewing;
      this.#isLeading = false;
      this.#options.onChange?.(false);
    }
    if (!losing.signal.aborted) await this.#release();
    return true;
  }

  /**
   * Whether the lease was renewed within the renew deadline, by the steady and by the wall clock. Whoever stood still
   * learns here at once that it leads no more: the signal tells it only after what came meanwhile was taken in.
   */
  holdsLease(): boolean {
    if (!this.#isLeading || this.#renewed === undefined) return false;
    const { at, wallAt } = this.#renewed;
    return Math.max(this.#clock.monotonic() - at, this.#clock.now() - wallAt) < this.#renewDeadlineMs;
  }

  /** Who leads: this one, or whose Lease was seen at the last try. Undefined when nobody is known to. */
  holder(): LeaseHolder | undefined {
    const { identity, annotations = {} } = this.#options;
    if (this.#isLeading) return { identity, annotations };
    if (this.#observed === undefined || this.#hasExpired(this.#observed.lease)) return undefined;
    const { metadata, spec } = this.#observed.lease;
    const { holderIdentity = '' } = spec;
    // Our own name on it is of a time that is over.
    if (holderIdentity === '' || holderIdentity === identity) return undefined;
    return { identity: holderIdentity, annotations: metadata.annotations ?? {} };
  }

  async #acquire(signal: AbortSignal): Promise<number | undefined> {
    while (!signal.aborted) {
      const attempt = await this.#tryBefore(this.#clock.monotonic() + this.#renewDeadlineMs, signal);
      if (attempt.kind === 'held') return attempt.sentAt;
      await this.#clock.wait(this.#retryMs * (1 + Math.random() * 0.2), signal).catch(() => undefined);
    }
    return undefined;
  }

  /** Renews until `ending` fires. What others do not see renewed in time is lost, whatever became of our requests. */
  async #renew(acquiredAt: number, losing: AbortController, ending: AbortSignal): Promise<void> {
    const over = AbortSignal.any([losing.signal, ending]);
    let deadline = acquiredAt + this.#renewDeadlineMs;
    let delayMs = this.#spread(0);
    let hasFailed = false;
    while (!over.aborted) {
      const untilNext = Math.min(delayMs, deadline - this.#clock.monotonic());
      await this.#clock.wait(Math.max(0, untilNext), over).catch(() => undefined);
      if (over.aborted) return;
      const attempt = await this.#tryBefore(deadline, over);
      if (over.aborted) return;
      delayMs = attempt.kind === 'held' ? this.#spread(hasFailed ? 0 : STEADY) : this.#retryMs;
      hasFailed = attempt.kind !== 'held';
      if (attempt.kind === 'taken') losing.abort(new Error('somebody else holds the lease'));
      else if (this.#clock.monotonic() >= deadline) losing.abort(new Error('the lease could not be renewed in time'));
      else if (attempt.kind === 'held') deadline = attempt.sentAt + this.#renewDeadlineMs;
    }
  }

  /** When to renew next: between a part of the time and all of it, where renewals are spread at all. */
  #spread(least: number): number {
    const { random } = this.#options;
    return random === undefined ? this.#renewMs : this.#renewMs * (least + (1 - least) * random());
  }

  /** One try, which is given up at a moment: a server may take a request and never answer. */
  async #tryBefore(deadline: number, signal: AbortSignal): Promise<Attempt> {
    const sentAt = this.#clock.monotonic();
    const wallAt = this.#clock.now();
    using late = new Deadline(signal, Math.max(0, deadline - sentAt), this.#clock);
    try {
      const isHeld = await this.#tryOnce(late.signal);
      this.#renewed = isHeld ? { at: sentAt, wallAt } : undefined;
      return isHeld ? { kind: 'held', sentAt } : { kind: 'taken' };
    } catch (error) {
      const isRace = isConflict(error) || isAlreadyExists(error);
      if (!isRace && !signal.aborted) this.#options.onFailure(error);
      return { kind: 'failed' };
    }
  }

  async #tryOnce(signal: AbortSignal): Promise<boolean> {
    const { name, namespace, identity } = this.#options;
    if (this.#isLeading && (await this.#renewHeld(signal))) return true;
    const lease = await this.#read(signal);
    if (lease === undefined) {
      const draft = { metadata: this.#marked({ name, namespace }), spec: this.#spec(0, undefined) };
      this.#held = await this.#client.create(draft, { signal });
      return true;
    }
    const holder = lease.spec.holderIdentity ?? '';
    const isOurs = holder === identity;
    // A leader that finds somebody else has been away for too long, even if that one is gone again.
    if (!isOurs && holder !== '' && (this.#isLeading || !this.#hasExpired(lease))) return false;
    const transitions = (lease.spec.leaseTransitions ?? 0) + (isOurs ? 0 : 1);
    const acquireTime = isOurs ? lease.spec.acquireTime : undefined;
    const taken = { ...lease, metadata: this.#marked(lease.metadata), spec: this.#spec(transitions, acquireTime) };
    this.#held = await this.#client.replace(taken, { signal });
    return true;
  }

  #marked(metadata: Lease['metadata']): Lease['metadata'] {
    const { annotations } = this.#options;
    if (annotations === undefined) return metadata;
    return { ...metadata, annotations: { ...metadata.annotations, ...annotations } };
  }

  /** Renews without a look where nobody has touched the lease since: an agent of each node asks the server all the time. */
  async #renewHeld(signal: AbortSignal): Promise<boolean> {
    const held = this.#held;
    // Whatever becomes of this write, what was held before it says nothing any more.
    this.#held = undefined;
    if (held === undefined) return false;
    const { leaseTransitions = 0, acquireTime } = held.spec;
    try {
      this.#held = await this.#client.replace({ ...held, spec: this.#spec(leaseTransitions, acquireTime) }, { signal });
      return true;
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return false;
      throw error;
    }
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    const { name, namespace } = this.#options;
    try {
      return await this.#client.get(name, { namespace, signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #hasExpired(lease: Lease): boolean {
    const { metadata, spec } = lease;
    const now = this.#clock.monotonic();
    const version = `${metadata.uid ?? ''}/${metadata.resourceVersion ?? ''}`;
    if (this.#observed?.version !== version) this.#observed = { version, at: now, lease };
    return now - this.#observed.at >= (spec.leaseDurationSeconds ?? this.#leaseMs / 1000) * 1000;
  }

  #spec(leaseTransitions: number, acquireTime: string | undefined): Lease['spec'] {
    const now = microTime(this.#clock.now());
    return {
      holderIdentity: this.#options.identity,
      leaseDurationSeconds: Math.ceil(this.#leaseMs / 1000),
      acquireTime: acquireTime ?? now,
      renewTime: now,
      leaseTransitions,
    };
  }

  // The next one need not wait for the lease to end then.
  async #release(): Promise<void> {
    const signal = AbortSignal.timeout(this.#retryMs);
    try {
      const lease = await this.#read(signal);
      if (lease?.spec.holderIdentity !== this.#options.identity) return;
      const spec = {
        ...lease.spec,
        holderIdentity: '',
        leaseDurationSeconds: 1,
        renewTime: microTime(this.#clock.now()),
      };
      await this.#client.replace({ ...lease, spec }, { signal });
    } catch (error) {
      this.#options.onFailure(error);
    }
  }
}
