import type { CallOptions } from '../procedure.ts';
import type { Clock } from '../clock.ts';
import { aborted, queueFull, timedOut } from './call-errors.ts';

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
  readonly admit: () => void;
}

/**
 * Lets a few long calls through at a time. A daemon serves a handful of calls per connection at once (five by default)
 * and reads nothing while all its places are taken, not even the answers to its pings: five migrations at once would
 * make it take this side for dead, and abort them all.
 */
export class LongCalls {
  readonly #max: number;
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();
  #running = 0;

  constructor(max: number, clock: Clock) {
    this.#max = max;
    this.#clock = clock;
  }

  /** Runs the call when it is its turn; waiting counts as part of its time limit. */
  async run<Result>(
    procedure: string,
    options: CallOptions,
    call: (options: CallOptions) => Promise<Result>,
  ): Promise<Result> {
    const startedAt = this.#clock.now();
    if (this.#running >= this.#max) await this.#turn(procedure, options);
    else this.#running++;
    try {
      if (options.timeoutMs === undefined) return await call(options);
      return await call({ ...options, timeoutMs: Math.max(0, options.timeoutMs - (this.#clock.now() - startedAt)) });
    } finally {
      this.#passOn();
    }
  }

  async #turn(procedure: string, { signal, timeoutMs }: CallOptions): Promise<void> {
    if (signal?.aborted === true) throw aborted(procedure, signal);
    if (this.#waiters.size >= MAX_WAITING)
      throw queueFull(procedure, `${this.#waiters.size} long calls wait before it`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { admit: resolve };
    this.#waiters.add(waiter);
    const onAbort = (): void => reject(aborted(procedure, signal));
    signal?.addEventListener('abort', onAbort, { once: true });
    const isLimited = timeoutMs !== undefined && timeoutMs !== Infinity;
    const cancel = isLimited
      ? this.#clock.schedule(() => reject(timedOut(procedure, timeoutMs)), timeoutMs)
      : undefined;
    try {
      await promise;
    } finally {
      this.#waiters.delete(waiter);
      signal?.removeEventListener('abort', onAbort);
      cancel?.();
    }
  }

  /** Whoever waits longest takes the place over. */
  #passOn(): void {
    for (const waiter of this.#waiters) {
      this.#waiters.delete(waiter);
      waiter.admit();
      return;
    }
    this.#running--;
  }
}
