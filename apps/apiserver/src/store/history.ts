import { BoundedQueue } from './bounded-queue.ts';
import { costOf, EventLog } from './event-log.ts';
import type { HistoryLimits } from './history-limits.ts';
import type { StoreEvent } from './store-event.ts';
import type { ReadBytes } from './stored-object.ts';

const MAX_FORGOTTEN_AT_ONCE = 200;

/** Which events may go, and which rows of the file go with them. */
export interface ForgetPlan {
  readonly counts: ReadonlyMap<string, number>;
  readonly compactedTo: ReadonlyMap<string, number>;
  readonly resourceVersions: readonly number[];
}

const FORGET_NOTHING: ForgetPlan = { counts: new Map(), compactedTo: new Map(), resourceVersions: [] };

/** The past of all resources, as far back as the limits say. */
export class History {
  readonly #limits: HistoryLimits;
  readonly #hasObjects: (resource: string) => boolean;
  readonly #logs = new Map<string, EventLog>();
  readonly #recent: BoundedQueue<StoreEvent>;
  #turn = this.#logs.keys();
  #events = 0;
  #bytes = 0;

  constructor(limits: HistoryLimits, readBytes: ReadBytes, hasObjects: (resource: string) => boolean) {
    this.#limits = limits;
    this.#hasObjects = hasObjects;
    const inMemory = { items: limits.eventsInMemory, bytes: limits.bytesInMemory };
    this.#recent = new BoundedQueue(inMemory, (event) => dropBytes(event, readBytes));
  }

  log(resource: string, compactedTo = 0): EventLog {
    let log = this.#logs.get(resource);
    if (log === undefined) {
      log = new EventLog(compactedTo);
      this.#logs.set(resource, log);
    }
    return log;
  }

  /** The log of a resource that has ever had an object. */
  find(resource: string): EventLog | undefined {
    return this.#logs.get(resource);
  }

  append(event: StoreEvent): void {
    const cost = costOf(event);
    this.log(event.resource).append(event);
    this.#events++;
    this.#bytes += cost;
    this.#recent.push(event, cost);
  }

  /** Looks for events that need not be kept any longer: old ones of these resources, and whatever takes too much room. */
  planForgetting(resources: ReadonlySet<string>, now: number): ForgetPlan {
    const { minEvents, maxEvents, maxBytes, minAgeMs } = this.#limits;
    if (this.#events <= minEvents && this.#bytes <= maxBytes) return FORGET_NOTHING;
    const draft = new ForgetDraft(this.#events, this.#bytes);
    for (const resource of new Set([...resources, ...this.#nextInTurn()])) {
      const log = this.log(resource);
      const spare = Math.min(log.size - minEvents, MAX_FORGOTTEN_AT_ONCE);
      const old = this.#hasObjects(resource) ? spare : MAX_FORGOTTEN_AT_ONCE;
      draft.take(resource, log, (event, count) => {
        return now - event.time > minAgeMs ? count < old : count < spare && draft.events > maxEvents;
      });
    }
    if (draft.bytes > maxBytes) this.#makeRoom(draft);
    return draft.plan();
  }

  forget(plan: ForgetPlan): void {
    for (const [resource, count] of plan.counts) {
      const log = this.log(resource);
      const before = log.bytes;
      log.dropOldest(count);
      this.#bytes -= before - log.bytes;
      this.#events -= count;
    }
  }

  // A resource that nobody writes any more, or that is gone with all its objects, is looked at now and then.
  #nextInTurn(): readonly string[] {
    let next = this.#turn.next();
    if (next.done === true) {
      this.#turn = this.#logs.keys();
      next = this.#turn.next();
    }
    return next.done === true ? [] : [next.value];
  }

  // Whoever fills the room gives way, so that a resource with large objects costs the others nothing.
  #makeRoom(draft: ForgetDraft): void {
    const bySize = [...this.#logs].toSorted(([, left], [, right]) => right.bytes - left.bytes);
    for (const [resource, log] of bySize) {
      if (draft.bytes <= this.#limits.maxBytes) return;
      draft.take(resource, log, (_event, count) => {
        return count < MAX_FORGOTTEN_AT_ONCE && draft.bytes > this.#limits.maxBytes;
      });
    }
  }
}

/** Collects what is to be forgotten, and knows what is left. */
class ForgetDraft {
  readonly #counts = new Map<string, number>();
  readonly #compactedTo = new Map<string, number>();
  readonly #resourceVersions: number[] = [];
  events: number;
  bytes: number;

  constructor(events: number, bytes: number) {
    this.events = events;
    this.bytes = bytes;
  }

  /** Takes the oldest events of a log for as long as each of them may go, and goes on where it has stopped before. */
  take(resource: string, log: EventLog, mayGo: (event: StoreEvent, count: number) => boolean): void {
    let count = this.#counts.get(resource) ?? 0;
    for (; ; count++) {
      const event = log.at(count);
      if (event === undefined || !mayGo(event, count)) break;
      this.#resourceVersions.push(...rowsOf(event));
      this.#compactedTo.set(resource, event.resourceVersion);
      this.events--;
      this.bytes -= costOf(event);
    }
    if (count > 0) this.#counts.set(resource, count);
  }

  plan(): ForgetPlan {
    return { counts: this.#counts, compactedTo: this.#compactedTo, resourceVersions: this.#resourceVersions };
  }
}

// What an event replaced is nobody's current object; that is true of a deletion's own last state as well.
function dropBytes(event: StoreEvent, readBytes: ReadBytes): void {
  event.previous?.dropBytes(readBytes);
  if (event.type === 'DELETED') event.object.dropBytes(readBytes);
}

/** The rows that nobody needs once an event is forgotten. */
function rowsOf(event: StoreEvent): readonly number[] {
  const rows = event.previous === undefined ? [] : [event.previous.resourceVersion];
  return event.type === 'DELETED' ? [...rows, event.resourceVersion] : rows;
}
