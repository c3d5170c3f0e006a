import { EventLog } from './event-log.ts';
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
  readonly #readBytes: ReadBytes;
  readonly #logs = new Map<string, EventLog>();
  readonly #recent: StoreEvent[] = [];
  #nextRecent = 0;
  #events = 0;
  #bytes = 0;

  constructor(limits: HistoryLimits, readBytes: ReadBytes) {
    this.#limits = limits;
    this.#readBytes = readBytes;
  }

  log(resource: string, compactedTo = 0): EventLog {
    let log = this.#logs.get(resource);
    if (log === undefined) {
      log = new EventLog(compactedTo);
      this.#logs.set(resource, log);
    }
    return log;
  }

  append(event: StoreEvent): void {
    this.log(event.resource).append(event);
    this.#events++;
    this.#bytes += costOf(event);
    this.#keepInMemory(event);
  }

  /** Looks for events of these resources that need not be kept any longer. */
  planForgetting(resources: ReadonlySet<string>, now: number): ForgetPlan {
    if (this.#events <= this.#limits.minEvents) return FORGET_NOTHING;
    const counts = new Map<string, number>();
    const compactedTo = new Map<string, number>();
    const resourceVersions: number[] = [];
    const room = { events: this.#events, bytes: this.#bytes };
    for (const resource of resources) {
      const log = this.log(resource);
      const spare = Math.min(log.size - this.#limits.minEvents, MAX_FORGOTTEN_AT_ONCE);
      let count = 0;
      for (; count < spare; count++) {
        const event = log.at(count);
        if (event === undefined || !this.#mayGo(event, room, now)) break;
        resourceVersions.push(...rowsOf(event));
        compactedTo.set(resource, event.resourceVersion);
        room.events--;
        room.bytes -= costOf(event);
      }
      if (count > 0) counts.set(resource, count);
    }
    return { counts, compactedTo, resourceVersions };
  }

  forget(plan: ForgetPlan): void {
    for (const [resource, count] of plan.counts) {
      const log = this.log(resource);
      for (let index = 0; index < count; index++) {
        const event = log.at(index);
        if (event !== undefined) this.#bytes -= costOf(event);
      }
      log.dropOldest(count);
      this.#events -= count;
    }
  }

  #mayGo(event: StoreEvent, room: { readonly events: number; readonly bytes: number }, now: number): boolean {
    if (room.events > this.#limits.maxEvents || room.bytes > this.#limits.maxBytes) return true;
    return now - event.time > this.#limits.minAgeMs;
  }

  #keepInMemory(event: StoreEvent): void {
    const old = this.#recent[this.#nextRecent];
    if (old !== undefined) this.#dropBytes(old);
    this.#recent[this.#nextRecent] = event;
    this.#nextRecent = (this.#nextRecent + 1) % this.#limits.eventsInMemory;
  }

  // What an event replaced is nobody's current object; that is true of a deletion's own last state as well.
  #dropBytes(event: StoreEvent): void {
    event.previous?.dropBytes(this.#readBytes);
    if (event.type === 'DELETED') event.object.dropBytes(this.#readBytes);
  }
}

/** The rows that nobody needs once an event is forgotten. */
function rowsOf(event: StoreEvent): readonly number[] {
  const rows = event.previous === undefined ? [] : [event.previous.resourceVersion];
  return event.type === 'DELETED' ? [...rows, event.resourceVersion] : rows;
}

function costOf(event: StoreEvent): number {
  const own = event.type === 'DELETED' ? event.object.byteLength : 0;
  return own + (event.previous?.byteLength ?? 0);
}
