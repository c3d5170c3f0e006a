import type { StoreEvent } from './store-event.ts';

/** The events of one resource, oldest first, from a known point on. */
export class EventLog {
  /** Everything after this resourceVersion is here; a reader that stands before it has missed something. */
  compactedTo: number;
  #events: StoreEvent[] = [];
  #start = 0;
  #bytes = 0;

  constructor(compactedTo: number) {
    this.compactedTo = compactedTo;
  }

  get size(): number {
    return this.#events.length - this.#start;
  }

  /** What is kept for these events alone, and not for the objects of today. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The event at a position, counted from the oldest. */
  at(index: number): StoreEvent | undefined {
    return this.#events[this.#start + index];
  }

  append(event: StoreEvent): void {
    this.#events.push(event);
    this.#bytes += costOf(event);
  }

  /** The events after a resourceVersion. The caller has checked that the log reaches back that far. */
  after(resourceVersion: number): readonly StoreEvent[] {
    let low = this.#start;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = this.#events[middle];
      if (event !== undefined && event.resourceVersion <= resourceVersion) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low);
  }

  /** Forgets the oldest events. */
  dropOldest(count: number): void {
    const last = this.at(count - 1);
    if (last === undefined) return;
    this.compactedTo = last.resourceVersion;
    for (let index = 0; index < count; index++) {
      const event = this.at(index);
      if (event !== undefined) this.#bytes -= costOf(event);
    }
    this.#start += count;
    if (this.#start * 2 < this.#events.length) return;
    this.#events = this.#events.slice(this.#start);
    this.#start = 0;
  }
}

/** How many bytes are kept for an event alone: what it replaced, and the last state of what it deleted. */
export function costOf(event: StoreEvent): number {
  const own = event.type === 'DELETED' ? event.object.byteLength : 0;
  return own + (event.previous?.byteLength ?? 0);
}
