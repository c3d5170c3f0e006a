import type { Clock } from '../clock.ts';
import type { LibvirtError } from '../libvirt-error.ts';
import type { CallOptions } from '../procedure.ts';
import { aborted, lostDuring, queueFull, timedOut } from './call-errors.ts';

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

const MAX_WAITING = 1000;

/** Whether a call takes so long that it must not take the daemon's last place. */
export function isLongProcedure(name: string): boolean {
  return longProcedures.has(name);
}

interface Waiter {
  readonly procedure: string;
  readonly turn: PromiseWithResolvers<void>;
}

export interface LongCallLimits {
  /** How many may run at once. */
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

  /** Runs the call when it is its turn; waiting counts as part of its time limit. */
  async run<Result>(
    procedure: string,
    options: CallOptions,
    call: (options: CallOptions) => Promise<Result>,
  ): Promise<Result> {
    const timeoutMs = options.timeoutMs ?? this.#limits.callTimeoutMs ?? Infinity;
    const startedAt = this.#clock.now();
    if (this.#running >= this.#limits.max) await this.#turn(procedure, timeoutMs, options.signal);
    else this.#running++;
    try {
      // It may have been refused between the moment it was admitted and this one.
      if (this.#refusal !== undefined) throw lostDuring(procedure, this.#refusal);
      return await call({ ...options, timeoutMs: Math.max(0, timeoutMs - (this.#clock.now() - startedAt)) });
    } finally {
      this.#passOn();
    }
  }

  /** Starts no further call; those that wait for their turn fail with the reason. */
  refuse(reason: LibvirtError): void {
    this.#refusal = reason;
    for (const { procedure, turn } of this.#waiters) turn.reject(lostDuring(procedure, reason));
  }

  async #turn(procedure: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted === true) throw aborted(procedure, signal);
    if (this.#waiters.size >= MAX_WAITING)
      throw queueFull(procedure, `${this.#waiters.size} long calls wait before it`);
    const turn = Promise.withResolvers<void>();
    const waiter: Waiter = { procedure, turn };
    this.#waiters.add(waiter);
    const onAbort = (): void => turn.reject(aborted(procedure, signal));
    signal?.addEventListener('abort', onAbort, { once: true });
    const cancel = this.#clock.schedule(() => turn.reject(timedOut(procedure, timeoutMs)), timeoutMs);
    try {
      await turn.promise;
    } finally {
      this.#waiters.delete(waiter);
      signal?.removeEventListener('abort', onAbort);
      cancel();
    }
  }

  /** Whoever waits longest takes the place over. */
  #passOn(): void {
    for (const waiter of this.#waiters) {
      this.#waiters.delete(waiter);
      waiter.turn.resolve();
      return;
    }
    this.#running--;
  }
}
