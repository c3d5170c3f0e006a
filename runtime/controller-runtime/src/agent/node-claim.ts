import { untilAborted, type Logger } from '@smalt/service-runtime';

import type { Clock } from '../clock.ts';
import { LeaderElection, type LeaseClient } from '../leader-election.ts';
import type { Lease } from '../lease.ts';
import { hasEnded, isRunningHere, parseIdentity, printIdentity, type AgentIdentity } from './agent-identity.ts';
import { isRefusal } from './api-failure.ts';
import { takeNodeLock, type NodeLock } from './node-lock.ts';

/** Why an agent does not report. */
export type Obstacle =
  /** Another one does; as `printIdentity` says it. */
  | { readonly kind: 'rival'; readonly identity: string }
  /** It cannot find out whether another one does. */
  | { readonly kind: 'refused'; readonly lease: string; readonly reason: string };

/** How long the Lease of a node counts, and how often it is renewed. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
  readonly renewMs?: number | undefined;
}

/** Under a lock the Lease only keeps off who does not share it; see docs/decisions/0033-a-lock-before-the-lease.md. */
const TIMES_UNDER_LOCK: LeaseTimes = {
  leaseMs: 300_000,
  renewDeadlineMs: 240_000,
  retryMs: 10_000,
  renewMs: 120_000,
};
/** Where the Lease alone has to tell that an agent has ended. */
const TIMES_WITHOUT_LOCK: LeaseTimes = {
  leaseMs: 40_000,
  renewDeadlineMs: 30_000,
  retryMs: 4_000,
  renewMs: 20_000,
};
/** Whether a process of this host still runs costs the API nothing to find out. */
const LOOK_MS = 1_000;

/** What agents of one kind on one node lock, before they look at the Lease. */
export interface LockPlace {
  readonly path: string;
  /** Told that it cannot be locked. Throws where the agent cannot do without; else the Lease alone keeps others off. */
  readonly onFailure: (error: unknown) => void;
}

export interface NodeClaimOptions {
  readonly name: string;
  readonly namespace: string;
  readonly identity: AgentIdentity;
  readonly lock?: LockPlace | undefined;
  readonly times?: LeaseTimes | undefined;
  /** From 0 to 1; spreads the renewals of a fleet. */
  readonly random?: (() => number) | undefined;
  /** Whether the process behind the identity of a holder has surely ended; looks at this machine if not given. */
  readonly hasEnded?: typeof hasEnded | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of who else reports on this node, once that one was seen to be alive, or that the Lease is refused. */
  readonly onObstacle: (obstacle: Obstacle | undefined) => void;
  /** Told of requests that failed; there will be others. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The right to report on a node, by a lock of its kernel and a Lease. Who has it keeps it while the API is away, unlike a leader:
 * nobody else can take it then, and what happens on the node in that time must not be lost. It ends when somebody else is found
 * to hold the Lease.
 */
export class NodeClaim {
  readonly #leases: LeaseClient;
  readonly #options: NodeClaimOptions;
  #identity: string;
  #lockId: string | undefined;
  /** Who held the Lease when we had the lock: '' for nobody, or us. */
  #predecessor: string | undefined;
  #holder = '';
  #hasHeld = false;
  /** The version of the Lease in which the rival was seen first. */
  #rivalVersion: string | undefined;
  #work: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  #start: () => void = () => undefined;

  constructor(leases: LeaseClient, options: NodeClaimOptions) {
    this.#leases = leases;
    this.#options = options;
    this.#identity = printIdentity(options.identity);
  }

  /** Runs `report` whenever this agent is the one to report, until the signal fires. Its signal fires when it is not. */
  async run(report: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    await using lock = await this.#takeLock(signal);
    if (signal.aborted) return;
    this.#lockId = lock?.id;
    this.#identity = printIdentity({ ...this.#options.identity, lock: lock?.id });
    const failed = Promise.withResolvers<never>();
    const broken = new AbortController();
    const either = AbortSignal.any([signal, broken.signal]);
    this.#start = () => {
      if (this.#work !== undefined || either.aborted) return;
      // Who was waited for may not have been forgotten yet.
      this.#options.onObstacle(undefined);
      const stop = new AbortController();
      const done = report(AbortSignal.any([either, stop.signal]));
      this.#work = { stop, done };
      done.catch((error: unknown) => {
        broken.abort(error);
        failed.reject(error);
      });
    };
    const electing = this.#elect(either);
    try {
      await Promise.race([electing, failed.promise]);
    } finally {
      await electing;
    }
  }

  /** Waits for the lock of the node; undefined when the signal fires before, and where there is none to be had. */
  async #takeLock(signal: AbortSignal): Promise<NodeLock | undefined> {
    const { lock, identity, clock, logger, onObstacle } = this.#options;
    if (lock === undefined) return undefined;
    const onWait = (holder: string): void => onObstacle({ kind: 'rival', identity: holder });
    try {
      return await takeNodeLock({ path: lock.path, identity, clock, logger, onWait }, signal);
    } catch (error) {
      if (!signal.aborted) lock.onFailure(error);
      return undefined;
    }
  }

  async #elect(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isFree = new AbortController();
      const isOurs = new AbortController();
      const watching = this.#watchHolder(isFree, AbortSignal.any([signal, isOurs.signal]));
      await this.#election().run(
        async (leading) => {
          isOurs.abort();
          this.#start();
          await untilAborted(leading);
          if (signal.aborted || this.#isTaken) await this.#stop();
        },
        AbortSignal.any([signal, isFree.signal]),
      );
      isOurs.abort();
      await watching;
    }
    await this.#stop();
  }

  /** Tells when the process that holds the Lease has ended: the next try, which takes it, need not be waited for. */
  async #watchHolder(isFree: AbortController, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted && !isFree.signal.aborted) {
      await clock.wait(LOOK_MS, signal).catch(() => undefined);
      const holder = this.#holder;
      if (signal.aborted || !this.#isTaken || !(await this.#hasEnded(holder))) continue;
      // While it was looked at, a try may have taken the Lease, and this would end what has begun with it.
      if (signal.aborted || this.#holder !== holder) continue;
      // Fires once: a try that takes longer than a look must not be cut short again.
      this.#holder = '';
      isFree.abort();
    }
  }

  get #isTaken(): boolean {
    return this.#holder !== '' && this.#holder !== this.#identity;
  }

  #election(): LeaderElection {
    const { name, namespace, clock, random = Math.random } = this.#options;
    const { times = this.#lockId === undefined ? TIMES_WITHOUT_LOCK : TIMES_UNDER_LOCK } = this.#options;
    return new LeaderElection(this.#observed(), {
      name,
      namespace,
      identity: this.#identity,
      ...times,
      random,
      clock,
      onFailure: (error) => this.#takeFailure(error),
    });
  }

  #takeFailure(error: unknown): void {
    const { name, namespace, onFailure, onObstacle } = this.#options;
    onFailure(error);
    if (!isRefusal(error)) {
      // Without an API there is nobody to ask; somebody who was seen to report still counts.
      if (!this.#isTaken) this.#start();
      return;
    }
    // Somebody else may be allowed what we are not, and report.
    if (this.#hasHeld) return;
    void this.#stop();
    const reason = error instanceof Error ? error.message : String(error);
    onObstacle({ kind: 'refused', lease: `${namespace}/${name}`, reason });
  }

  /** The Leases, looked over: who holds ours, and whether that one is still alive. */
  #observed(): LeaseClient {
    return {
      create: async (lease, options) => this.#ours(await this.#leases.create(lease, options)),
      get: async (name, options) => await this.#look(await this.#leases.get(name, options)),
      replace: async (lease, options) => this.#ours(await this.#leases.replace(lease, options)),
    };
  }

  #ours(lease: Lease): Lease {
    this.#holder = lease.spec.holderIdentity ?? '';
    this.#predecessor = '';
    if (!this.#isTaken) this.#forgetObstacle();
    return lease;
  }

  async #look(lease: Lease): Promise<Lease> {
    const holder = lease.spec.holderIdentity ?? '';
    const isOther = holder !== '' && holder !== this.#identity;
    this.#predecessor ??= isOther ? holder : '';
    if (isOther && (await this.#hasEnded(holder))) {
      this.#options.logger.info({ holder }, 'the agent that held the Lease of the node has ended; taking it');
      return { ...lease, spec: { ...lease.spec, holderIdentity: '' } };
    }
    this.#holder = holder;
    if (isOther) await this.#meetRival(holder, lease.metadata.resourceVersion);
    return lease;
  }

  /**
   * Whether a holder of the Lease has surely ended. One who had our lock has, wherever and in which boot it ran, but only if it
   * held the Lease before us: who takes it with our lock while we have that is a copy of this machine.
   */
  async #hasEnded(holder: string): Promise<boolean> {
    const { identity, hasEnded: look = hasEnded } = this.#options;
    const hadOurLock = this.#lockId !== undefined && parseIdentity(holder)?.lock === this.#lockId;
    return (hadOurLock && holder === this.#predecessor) || (await look(holder, identity));
  }

  async #meetRival(rival: string, version: string | undefined): Promise<void> {
    const wasReporting = this.#work !== undefined;
    this.#hasHeld = false;
    await this.#stop();
    // A Lease may outlive its holder; one that is renewed does not.
    const isRenewed = this.#rivalVersion !== undefined && this.#rivalVersion !== version;
    const isAlive = wasReporting || isRenewed || (await isRunningHere(rival, this.#options.identity));
    this.#rivalVersion ??= version;
    if (isAlive) this.#options.onObstacle({ kind: 'rival', identity: rival });
  }

  #forgetObstacle(): void {
    this.#hasHeld = true;
    this.#rivalVersion = undefined;
    this.#options.onObstacle(undefined);
  }

  async #stop(): Promise<void> {
    const work = this.#work;
    if (work === undefined) return;
    work.stop.abort();
    await work.done.catch(() => undefined);
    if (this.#work === work) this.#work = undefined;
  }
}
