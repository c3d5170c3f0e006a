import { type Clock, type EventRecorder, WakeUp } from '@smalt/controller-runtime';
import type { Migration } from '@smalt/fleet-api';
import { isKubeError } from '@smalt/kube';
import type { MigrationResult, MigrationRole, Observation } from '@smalt/migration-record';
import type { Ignore, Logger } from '@smalt/service-runtime';

import type { MigrationMetrics } from './migration-metrics.ts';
import type { PendingFile } from './pending-file.ts';
import type { PendingRecord } from './pending-record.ts';
import type { RecordTarget } from './record-store.ts';
import { writeRecord } from './write-record.ts';

export interface WriterDeps extends RecordTarget {
  readonly file: PendingFile;
  readonly recorder: EventRecorder;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly metrics: Pick<MigrationMetrics, 'setWaiting'>;
  readonly clock: Clock;
  /** The least time between two writes of one record. */
  readonly pollMs: number;
  /** How long the hosts of the migration before are given to put its record away. */
  readonly patienceMs: number;
}

/** How long the figures of a success are waited for: libvirt tells them right after its end, or never. */
const FIGURES_MS = 1000;
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 15_000;
/** How many records are written at a time. */
const CONCURRENCY = 8;
/** More results than this are not kept while the API is away; the oldest go. */
const MOST_PENDING = 10_000;

const ARRIVED: MigrationResult = { kind: 'completed' };
const NOT_SEEN: MigrationResult = { kind: 'failed', error: 'its end was not seen' };

interface Entry {
  readonly guest: string;
  observation: Observation;
  uid: string | undefined;
  run: string | undefined;
  object: Migration | undefined;
  isDirty: boolean;
  dueAtMs: number;
  /** Until when it is not told, as more is about to be known. */
  heldUntilMs: number;
  failures: number;
  /** Since when it has not been clear what it belongs to. */
  unclearSinceMs: number | undefined;
}

/** Writes what was observed, soon, and again and again until the API has taken it. Nothing is written twice. */
export class RecordWriter {
  readonly #deps: WriterDeps;
  /** By guest, the earliest migration first: a later one has to wait for it. */
  readonly #entries = new Map<string, Entry[]>();
  readonly #wakeUp: WakeUp;
  readonly #onIdle: (() => void)[] = [];

  constructor(deps: WriterDeps) {
    this.#deps = deps;
    this.#wakeUp = new WakeUp(deps.clock);
  }

  /** Takes over what was not written before the agent stopped. */
  restore(pending: PendingRecord): void {
    // What was kept may be older than what was written, so it is told again.
    const observation = { ...pending.observation, isEstimated: true };
    this.#add({ ...pending, observation });
  }

  /** Takes over what is to be told now; an earlier account of the same migration is told no more. */
  report(pending: PendingRecord): void {
    const { instance, role, startedAtMs, result } = pending.observation;
    const entries = this.#entries.get(instance) ?? [];
    const known = entries.find(
      ({ observation }) => observation.role === role && observation.startedAtMs === startedAtMs,
    );
    if (known === undefined) {
      this.#endOpen(entries, role);
      this.#add(pending, this.#holdUntil(pending));
      this.#save();
    } else {
      const hasEnded = result !== undefined && known.observation.result === undefined;
      known.observation = pending.observation;
      known.run ??= pending.run;
      known.isDirty = true;
      known.heldUntilMs = this.#holdUntil(pending);
      if (hasEnded) this.#save();
    }
    this.#wakeUp.ring();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, file } = this.#deps;
    while (!signal.aborted) {
      const due = this.#due(clock.monotonic());
      if (due.length > 0) await Promise.all(due.map((entry) => this.#write(entry, signal)));
      else await this.#wait(signal);
    }
    this.#save();
    await file.flush();
  }

  /** Resolves when the API has taken all that there is to tell now. */
  async idle(): Promise<void> {
    if (this.#heads().length === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle.push(resolve);
    await promise;
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const waitMs = this.#nextMs(this.#deps.clock.monotonic());
    if (waitMs === Infinity) for (const resolve of this.#onIdle.splice(0)) resolve();
    await this.#wakeUp.wait(waitMs, signal);
  }

  #holdUntil({ observation }: PendingRecord): number {
    return observation.lacksFigures === true ? this.#deps.clock.monotonic() + FIGURES_MS : -Infinity;
  }

  /** A guest moves once at a time: when the next migration begins, the one before has ended, seen or not. */
  #endOpen(entries: readonly Entry[], next: MigrationRole): void {
    for (const entry of entries) {
      const { observation } = entry;
      if (observation.result !== undefined) continue;
      // Who leaves a host has arrived there.
      const hasArrived = observation.role === 'destination' && next === 'origin';
      const result = hasArrived ? ARRIVED : NOT_SEEN;
      entry.observation = { ...observation, result };
      entry.isDirty = true;
    }
  }

  #add({ guest, observation, uid, run }: PendingRecord, heldUntilMs = -Infinity): void {
    const entries = this.#entries.get(observation.instance) ?? [];
    const state = { object: undefined, isDirty: true, dueAtMs: -Infinity, failures: 0, unclearSinceMs: undefined };
    entries.push({ guest, observation, uid, run, heldUntilMs, ...state });
    this.#entries.set(observation.instance, entries);
    this.#dropOldest();
  }

  #dropOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest === undefined || this.#entries.size <= MOST_PENDING) return;
    this.#entries.delete(oldest);
    this.#deps.logger.error({ instance: oldest }, 'too many migrations wait for the API; the oldest was given up');
  }

  #heads(): readonly Entry[] {
    return [...this.#entries.values()].flatMap(([head]) => (head?.isDirty === true ? [head] : []));
  }

  #due(nowMs: number): readonly Entry[] {
    return this.#heads()
      .filter((head) => dueAtMs(head) <= nowMs)
      .slice(0, CONCURRENCY);
  }

  #nextMs(nowMs: number): number {
    return Math.min(...this.#heads().map((head) => Math.max(0, dueAtMs(head) - nowMs)), Infinity);
  }

  async #write(entry: Entry, signal: AbortSignal): Promise<void> {
    const { clock, logger, ignore } = this.#deps;
    const { observation } = entry;
    try {
      await this.#tell(entry, observation, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (isRefusal(error) && observation.result !== undefined && entry.observation === observation) {
        this.#giveUp(entry, error);
        return;
      }
      entry.object = undefined;
      entry.dueAtMs = clock.monotonic() + Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** entry.failures);
      if (entry.failures === 0)
        logger.warn({ ...namesOf(entry), error }, 'a migration cannot be told; it is tried again');
      else ignore(error, 'a migration still cannot be told');
      entry.failures++;
    }
  }

  async #tell(entry: Entry, observation: Observation, signal: AbortSignal): Promise<void> {
    const { clock, pollMs, patienceMs } = this.#deps;
    const { uid, object, unclearSinceMs } = entry;
    const onAttempt = (target: string | undefined): void => {
      entry.uid = target;
    };
    const nowMs = clock.monotonic();
    const isPatient = nowMs - (unclearSinceMs ?? nowMs) < patienceMs;
    const outcome = await writeRecord(this.#deps, observation, { uid, object, isPatient, onAttempt }, signal);
    entry.failures = 0;
    entry.dueAtMs = clock.monotonic() + pollMs;
    entry.unclearSinceMs = outcome.kind === 'unclear' ? (unclearSinceMs ?? nowMs) : undefined;
    if (outcome.kind === 'written') this.#wrote(entry, observation, outcome);
  }

  // It will never be other than it is, and the next migration of the guest waits for it.
  #giveUp(entry: Entry, error: unknown): void {
    const { logger, ignore } = this.#deps;
    logger.error({ ...namesOf(entry), error }, 'the API refuses a migration for good; it is not told');
    ignore(error, 'the API refuses a migration for good');
    this.#remove(entry);
    this.#save();
  }

  #wrote(entry: Entry, observation: Observation, { object, isFirst }: { object: Migration; isFirst: boolean }): void {
    const { result } = observation;
    const isSettled = entry.observation === observation;
    entry.uid = object.metadata.uid;
    entry.object = object;
    if (isSettled) entry.isDirty = false;
    if (isSettled && result !== undefined) this.#remove(entry);
    if (isFirst || (isSettled && result !== undefined)) this.#save();
    this.#recordEvent(entry, object, { isFirst, observation });
  }

  #remove(entry: Entry): void {
    const { instance } = entry.observation;
    const rest = (this.#entries.get(instance) ?? []).filter((other) => other !== entry);
    if (rest.length === 0) this.#entries.delete(instance);
    else this.#entries.set(instance, rest);
  }

  #recordEvent(
    entry: Entry,
    object: Migration,
    { isFirst, observation }: { readonly isFirst: boolean; readonly observation: Observation },
  ): void {
    const { role, host, result } = observation;
    const what = role === 'origin' ? `${entry.guest} leaves ${host}` : `${entry.guest} arrives at ${host}`;
    if (result === undefined && !isFirst) return;
    const type = result === undefined || result.kind === 'completed' ? 'Normal' : 'Warning';
    const reason = result === undefined ? 'MigrationStarted' : REASONS[result.kind];
    const message = result === undefined ? what : [`${what}: ${result.kind}`, result.error].filter(Boolean).join(', ');
    void this.#deps.recorder.record(object, type, reason, message);
  }

  #save(): void {
    const all = [...this.#entries.values()].flat();
    this.#deps.metrics.setWaiting(all.filter(({ isDirty }) => isDirty).length);
    this.#deps.file.save(all.map(({ guest, observation, uid, run }) => ({ guest, observation, uid, run })));
  }
}

const REASONS = {
  completed: 'MigrationCompleted',
  failed: 'MigrationFailed',
  cancelled: 'MigrationCancelled',
} as const;

function dueAtMs(entry: Pick<Entry, 'dueAtMs' | 'heldUntilMs'>): number {
  return Math.max(entry.dueAtMs, entry.heldUntilMs);
}

/** Whether the API server itself, and not something on the way to it, says that this can never be written. */
function isRefusal(error: unknown): boolean {
  return isKubeError(error, 'bad-request', 'invalid') && error.status !== undefined;
}

function namesOf({ guest, observation }: Entry): Readonly<Record<string, string>> {
  return { guest, instance: observation.instance, role: observation.role };
}
