import type { Clock } from '../clock.ts';
import type { LibvirtError } from '../libvirt-error.ts';
import type { CallOptions } from '../procedure.ts';
import { aborted, lostDuring, queueFull, timedOut } from './call-errors.ts';
import type { FollowedCall } from './pending-call.ts';

/** Calls that copy memory or disks, and so take minutes. */
const longProcedures: ReadonlySet<string> = new Set([
  'domainCoreDump',
  'domainCoreDumpWithFormat',
  'domainManagedSave',
  'domainMigratePerform',
  'domainMigratePerform3',
  'domainMigratePerform3Params',
  'domainRestore',
  'domainRestoreFlags',
  'domainRestoreParams',
  'domainRevertToSnapshot',
  'domainSave',
  'domainSaveFlags',
  'domainSaveParams',
  'domainSnapshotCreateXml',
  'domainSnapshotDelete',
  'storageVolCreateXml',
  'storageVolCreateXmlFrom',
  'storageVolWipe',
  'storageVolWipePattern',
]);

/**
 * Calls that take minutes too, in a post-copy migration, but never wait for a turn: the guest stands still until its
 * destination is told to take over, and behind migrations in the other direction that could take minutes. They do take
 * a place, so that the calls that can wait do.
 */
const urgentProcedures: ReadonlySet<string> = new Set([
  'domainMigrateFinish',
  'domainMigrateFinish2',
  'domainMigrateFinish3',
  'domainMigrateFinish3Params',
]);

const MAX_WAITING = 1000;

/** Whether a call takes so long that it must not take the daemon's last place. */
export function isLongProcedure(name: string): boolean {
  return longProcedures.has(name) || urgentProcedures.has(name);
}

interface Waiter {
  readonly procedure: string;
  readonly turn: PromiseWithResolvers<void>;
}

export interface LongCallLimits {
  /** How many may run at once; only urgent ones do not keep to it. */
  readonly max: number;
  /** The time limit of a call that names none. */
  readonly callTimeoutMs?: number | undefined;
}

/**
 * Lets a few long calls through at a time. A daemon serves a handful of calls per connection at once (five by default)
 * and reads nothing while all its places are taken, not even the answers to its pings: five migrations at once would
 * make it take this side for dead, and abort them all.
 */
export class LongCalls {
  readonly #limits: LongCallLimits;
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();
  #running = 0;
  #refusal: LibvirtError | undefined;

  constructor(limits: LongCallLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Runs the call when it is its turn; waiting counts as part of its time limit. Its place is free again when the
   * daemon is done with it, not when the caller gives up.
   */
  async run<Result>(
    procedure: string,
    options: CallOptions,
    call: (options: CallOptions) => FollowedCall<Result>,
  ): Promise<Result> {
    const timeoutMs = options.timeoutMs ?? this.#limits.callTimeoutMs ?? Infinity;
    const startedAt = this.#clock.now();
    if (this.#running < this.#limits.max || urgentProcedures.has(procedure)) this.#running++;
    else await this.#turn(procedure, timeoutMs, options.signal);
    // It may have been refused between the moment it was admitted and this one.
    if (this.#refusal !== undefined) {
      this.#passOn();
      throw lostDuring(procedure, this.#refusal);
    }
    const leftMs = Math.max(0, timeoutMs - (this.#clock.now() - startedAt));
    const { reply, done } = call({ ...options, timeoutMs: leftMs });
    void done.then(() => this.#passOn());
    return reply;
  }

  /** Starts no further call; those that wait for their turn fail with the reason. */
  refuse(reason: LibvirtError): void {
    this.#refusal = reason;
    for (const waiter of this.#waiters) this.#turnAway(waiter, lostDuring(waiter.procedure, reason));
  }

  async #turn(procedure: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted === true) throw aborted(procedure, signal);
    if (this.#waiters.size >= MAX_WAITING)
      throw queueFull(procedure, `${this.#waiters.size} long calls wait before it`);
    const turn = Promise.withResolvers<void>();
    const waiter: Waiter = { procedure, turn };
    this.#waiters.add(waiter);
    const onAbort = (): void => this.#turnAway(waiter, aborted(procedure, signal));
    signal?.addEventListener('abort', onAbort, { once: true });
    const cancel = this.#clock.schedule(() => this.#turnAway(waiter, timedOut(procedure, timeoutMs)), timeoutMs);
    try {
      await turn.promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      cancel();
    }
  }

  // At once out of the queue: a place that is passed on to one who does not wait any more would be lost.
  #turnAway(waiter: Waiter, error: LibvirtError): void {
    this.#waiters.delete(waiter);
    waiter.turn.reject(error);
  }

  /** Whoever waits longest takes the place over, unless it was one too many. */
  #passOn(): void {
    const isOneTooMany = this.#running > this.#limits.max;
    const next = isOneTooMany ? undefined : this.#waiters.values().next().value;
    if (next === undefined) {
      this.#running--;
      return;
    }
    this.#waiters.delete(next);
    next.turn.resolve();
  }
}
