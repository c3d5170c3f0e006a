import type { Incident } from '@smalt/failure-detection';
import type { Ignore } from '@smalt/service-runtime';

import { OPEN_STATES } from '../../ports/open-states.ts';
import type { HostReport } from '../../ports/telemetry-store.ts';
import type { ApiContext } from '../api-context.ts';
import { fleetObjects, type StoreFacts } from './fleet-objects.ts';

/** What has changed since the reader was told last. Objects are JSON. */
export interface FleetChanges {
  /** All that was told before is void. */
  readonly isReset: boolean;
  readonly put: readonly string[];
  /** `hosts/NAME`, `incidents/ID`, `journal/ID`. */
  readonly gone: readonly string[];
}

/** What is written by other replicas is found by looking; what this one does is told. */
const FOLLOWER_LOOKS_MS = 3_000;
const LEADER_LOOKS_MS = 30_000;
const GATHER_MS = 100;
const RETRY_MS = 1_000;
const READ_MS = 10_000;
const JOURNAL_LINES = 500;
const INCIDENTS = 200;
/** Of which one may wait for a person, however old it is. */
const OPEN_INCIDENTS = 1_000;

/**
 * Tells any number of readers what changes in the fleet. There is one picture for all; each reader gets the difference to the one it was
 * told last, so that one that is slow keeps nothing waiting. Nothing is read while nobody listens.
 */
export class ChangeFeed {
  readonly #context: ApiContext;
  readonly #ignore: Ignore;
  readonly #reports = new Map<string, HostReport>();
  #cursor: string | undefined;
  #objects: ReadonlyMap<string, string> | undefined;
  #next = Promise.withResolvers<void>();
  #readers = 0;
  #stop = new AbortController();

  constructor(context: ApiContext) {
    this.#context = context;
    this.#ignore = context.ignore;
  }

  /** All there is, and then each change, until the signal fires. */
  async *changes(signal: AbortSignal): AsyncGenerator<FleetChanges, void> {
    using _reading = this.#join();
    const fired = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => fired.resolve(), { once: true });
    let told: ReadonlyMap<string, string> | undefined;
    while (!signal.aborted) {
      const { promise } = this.#next;
      const now = this.#objects;
      if (now !== undefined && now !== told) {
        yield difference(told, now);
        told = now;
        continue;
      }
      await Promise.race([promise, fired.promise]);
    }
  }

  #join(): Disposable {
    this.#readers++;
    if (this.#readers === 1) {
      this.#stop = new AbortController();
      // What was known when the last reader left may be old.
      this.#objects = undefined;
      void this.#run(this.#stop.signal);
    }
    return {
      [Symbol.dispose]: () => {
        this.#readers--;
        if (this.#readers === 0) this.#stop.abort(new Error('nobody listens'));
      },
    };
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { news, replica, clock } = this.#context;
    let isStale = true;
    let facts: StoreFacts | undefined;
    let woken = Promise.withResolvers<void>();
    using _news = news.listen((kind) => {
      isStale ||= kind === 'store';
      woken.resolve();
    });
    while (!signal.aborted) {
      woken = Promise.withResolvers();
      let pauseMs = replica().isLeading ? LEADER_LOOKS_MS : FOLLOWER_LOOKS_MS;
      try {
        if (isStale || facts === undefined) {
          isStale = false;
          facts = await this.#read(signal);
        }
        this.#publish(facts);
      } catch (error) {
        if (signal.aborted) return;
        this.#ignore(error, 'the picture of the fleet is made again');
        [isStale, pauseMs] = [true, RETRY_MS];
      }
      isStale = (await this.#isWoken(woken.promise, pauseMs, signal)) ? isStale : true;
      await clock.wait(GATHER_MS, signal).catch(() => undefined);
    }
  }

  /** False when the time has come instead. */
  async #isWoken(woken: Promise<void>, pauseMs: number, signal: AbortSignal): Promise<boolean> {
    const over = new AbortController();
    const late = this.#context.clock.wait(pauseMs, AbortSignal.any([signal, over.signal])).then(
      () => false,
      () => true,
    );
    const isWoken = await Promise.race([woken.then(() => true), late]);
    over.abort();
    return isWoken;
  }

  async #read(signal: AbortSignal): Promise<StoreFacts> {
    const { store } = this.#context;
    const until = AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]);
    const [records, changes, newest, open, journal, switches] = await Promise.all([
      store.hosts.list(until),
      store.signals.changes(this.#cursor, until),
      store.incidents.list({ limit: INCIDENTS }, until),
      store.incidents.list({ states: OPEN_STATES, limit: OPEN_INCIDENTS }, until),
      store.journal.list(undefined, { limit: JOURNAL_LINES }, until),
      store.switches(until),
    ]);
    this.#cursor = changes.cursor;
    for (const report of changes.reports) this.#reports.set(report.host, report);
    return { records, reports: this.#reports, incidents: ofDifferentIds([...newest, ...open]), journal, switches };
  }

  #publish(store: StoreFacts): void {
    const { replica, history, settings } = this.#context;
    const { brakes } = settings().detection;
    const objects = fleetObjects({ store, replica: replica(), history, brakes });
    const before = this.#objects;
    if (before !== undefined && isSame(before, objects)) return;
    this.#objects = objects;
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }
}

/** The two lists are read one after the other, so the second one may know more. */
function ofDifferentIds(incidents: readonly Incident[]): readonly Incident[] {
  return [...new Map(incidents.map((incident) => [incident.id, incident])).values()];
}

function difference(before: ReadonlyMap<string, string> | undefined, now: ReadonlyMap<string, string>): FleetChanges {
  if (before === undefined) return { isReset: true, put: [...now.values()], gone: [] };
  const put = Array.from(now).flatMap(([key, json]) => (before.get(key) === json ? [] : [json]));
  return { isReset: false, put, gone: Array.from(before.keys()).filter((key) => !now.has(key)) };
}

function isSame(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): boolean {
  return before.size === now.size && Array.from(now).every(([key, json]) => before.get(key) === json);
}
