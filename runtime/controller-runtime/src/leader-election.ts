import { isAlreadyExists, isConflict, isNotFound, type KubeClient, type ResourceClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

import { systemClock, type Clock } from './clock.ts';

/** coordination.k8s.io/v1 Lease. */
export interface Lease extends KubernetesObject {
  readonly spec: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

const leases: KindReference<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  isNamespaced: true,
};

/** The defaults of Kubernetes' own components. */
export const LEASE_MS = 15_000;
export const RENEW_DEADLINE_MS = 10_000;
const RETRY_MS = 2_000;

export interface LeaderElectionOptions {
  readonly name: string;
  readonly namespace: string;
  /** Who we are; no two candidates may share it. */
  readonly identity: string;
  /** How long others wait after the last sign of a leader. */
  readonly leaseMs?: number | undefined;
  /** How long a leader tries to renew before it gives up; less than the lease, so that two never lead at once. */
  readonly renewDeadlineMs?: number | undefined;
  readonly retryMs?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly onChange?: ((isLeader: boolean) => void) | undefined;
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** Sees to it that of several candidates one leads, by a Lease that the leader renews. */
export class LeaderElection {
  readonly #client: ResourceClient<Lease>;
  readonly #options: LeaderElectionOptions;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #renewDeadlineMs: number;
  readonly #retryMs: number;
  #isTaken = false;
  /** What was seen, and when by our own clock: those of two machines differ, so times in a Lease are not compared. */
  #observed: { readonly version: string; readonly at: number } | undefined;

  constructor(client: KubeClient, options: LeaderElectionOptions) {
    this.#client = client.resource(leases);
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    this.#renewDeadlineMs = options.renewDeadlineMs ?? RENEW_DEADLINE_MS;
    this.#retryMs = options.retryMs ?? RETRY_MS;
    if (this.#renewDeadlineMs >= this.#leaseMs || this.#retryMs >= this.#renewDeadlineMs) {
      throw new RangeError(
        'leader election: the retry must be shorter than the renew deadline, and that than the lease',
      );
    }
  }

  /**
   * Waits to become the leader, then runs `lead`, whose signal fires when leadership is lost or the signal given does;
   * it has to have stopped by the time the lease is over. Gives the lease up in the end. Returns whether it ever led.
   */
  async run(lead: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#acquire(signal))) return false;
    this.#options.onChange?.(true);
    const losing = new AbortController();
    const leading = AbortSignal.any([signal, losing.signal]);
    const renewing = this.#renew(losing, leading);
    try {
      await lead(leading);
    } finally {
      losing.abort(new Error('no longer the leader'));
      await renewing;
      this.#options.onChange?.(false);
      await this.#release();
    }
    return true;
  }

  async #acquire(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (await this.#try(signal)) return true;
      await this.#clock.wait(this.#jittered(), signal).catch(() => undefined);
    }
    return false;
  }

  async #renew(losing: AbortController, signal: AbortSignal): Promise<void> {
    let renewedAt = this.#clock.now();
    while (!signal.aborted) {
      await this.#clock.wait(this.#retryMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(this.#renewDeadlineMs)]);
      if (await this.#try(deadline)) renewedAt = this.#clock.now();
      else if (this.#clock.now() - renewedAt >= this.#renewDeadlineMs || this.#isTaken) {
        losing.abort(new Error('the lease could not be renewed in time'));
      }
    }
  }

  #jittered(): number {
    return this.#retryMs * (1 + Math.random() * 0.2);
  }

  async #try(signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#tryOnce(signal);
    } catch (error) {
      const isRace = isConflict(error) || isAlreadyExists(error);
      if (!isRace && !signal.aborted) this.#options.onFailure?.(error);
      return false;
    }
  }

  async #tryOnce(signal: AbortSignal): Promise<boolean> {
    const { name, namespace, identity } = this.#options;
    const lease = await this.#read(signal);
    if (lease === undefined) {
      await this.#client.create({ metadata: { name, namespace }, spec: this.#spec(0, undefined) }, { signal });
      return true;
    }
    const holder = lease.spec.holderIdentity ?? '';
    const isOurs = holder === identity;
    this.#isTaken = !isOurs && holder !== '';
    if (!isOurs && holder !== '' && !this.#hasExpired(lease)) return false;
    const transitions = (lease.spec.leaseTransitions ?? 0) + (isOurs ? 0 : 1);
    const acquireTime = isOurs ? lease.spec.acquireTime : undefined;
    const taken = await this.#client.replace({ ...lease, spec: this.#spec(transitions, acquireTime) }, { signal });
    this.#isTaken = false;
    this.#observe(taken);
    return true;
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
    this.#observe(lease);
    const leaseMs = (lease.spec.leaseDurationSeconds ?? this.#leaseMs / 1000) * 1000;
    return this.#clock.now() - (this.#observed?.at ?? 0) >= leaseMs;
  }

  #observe({ metadata }: Lease): void {
    const version = `${metadata.uid ?? ''}/${metadata.resourceVersion ?? ''}`;
    if (this.#observed?.version !== version) this.#observed = { version, at: this.#clock.now() };
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
      await this.#client.replace(
        { ...lease, spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 } },
        { signal },
      );
    } catch (error) {
      this.#options.onFailure?.(error);
    }
  }
}

function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
