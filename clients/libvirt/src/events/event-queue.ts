/** How many events wait for a reader who does not say otherwise. */
export const DEFAULT_MAX_QUEUED = 4096;
/** How many bytes these may have together: most events have some hundred, but the protocol allows for megabytes. */
export const DEFAULT_MAX_QUEUED_BYTES = 16_777_216;

/** Stands where events were dropped: nobody read them in time, or nobody could, because their bytes make no sense. */
export interface EventOverflow {
  readonly kind: 'overflow';
  readonly dropped: number;
}

/** Whether events are missing here. */
export function isOverflow(item: { readonly kind: string }): item is EventOverflow {
  return item.kind === 'overflow';
}

type Waiter<Event> = PromiseWithResolvers<IteratorResult<Event | EventOverflow, undefined>>;

/**
 * Events between the socket and a reader. It holds a bounded number of them and of their bytes; what does not fit is
 * counted, and the count is delivered in the place of what was dropped.
 */
export class EventQueue<Event extends { readonly kind: string }> {
  readonly #maxQueued: number;
  readonly #maxQueuedBytes: number;
  readonly #items: (Event | EventOverflow)[] = [];
  readonly #waiters: Waiter<Event>[] = [];
  /** Kept for as long as the event is: who passes it on to another queue needs to know. */
  readonly #sizes = new WeakMap<Event, number>();
  #dropped = 0;
  #queuedEvents = 0;
  #queuedBytes = 0;
  #lastMark: Event | undefined;
  #end: { readonly error: unknown } | undefined;

  constructor(maxQueued: number, maxQueuedBytes: number = DEFAULT_MAX_QUEUED_BYTES) {
    this.#maxQueued = maxQueued;
    this.#maxQueuedBytes = maxQueuedBytes;
  }

  /** Adds an event that took so many bytes on the wire. */
  push(event: Event, bytes: number = 0): void {
    if (this.#end !== undefined) return;
    this.#sizes.set(event, bytes);
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) waiter.resolve({ value: event, done: false });
    else if (this.#hasRoomFor(bytes)) this.#append(event);
    else this.#dropped++;
  }

  /** How many bytes an event of this queue took on the wire, also when it has been read already. */
  bytesOf(item: Event | EventOverflow): number {
    return isOverflow(item) ? 0 : (this.#sizes.get(item) ?? 0);
  }

  /** Counts what did not even become an event, in its place between the others. */
  drop(count: number): void {
    if (this.#end !== undefined) return;
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#dropped += count;
    else waiter.resolve({ value: { kind: 'overflow', dropped: count }, done: false });
  }

  /** Queues what is never dropped. With no event since the last one, the two become what `merge` makes of them. */
  mark(mark: Event, merge: (earlier: Event, later: Event) => Event): void {
    if (this.#end !== undefined) return;
    const waiter = this.#waiters.shift();
    const earlier = this.#lastMark;
    if (waiter !== undefined) waiter.resolve({ value: mark, done: false });
    else if (earlier !== undefined && this.#items.at(-1) === earlier) this.#replaceLast(merge(earlier, mark));
    else {
      this.#lastMark = mark;
      this.#append(mark);
    }
  }

  /** The next event. Rejects with the error the queue ended with, when all before it has been read. */
  next(): Promise<IteratorResult<Event | EventOverflow, undefined>> {
    const item = this.#shift();
    if (item !== undefined) return Promise.resolve({ value: item, done: false });
    if (this.#end === undefined) {
      const waiter: Waiter<Event> = Promise.withResolvers();
      this.#waiters.push(waiter);
      return waiter.promise;
    }
    const { error } = this.#end;
    // The error is told once; who goes on asking is told that there is no more.
    this.#end = { error: undefined };
    return error === undefined ? Promise.resolve({ value: undefined, done: true }) : Promise.reject(error);
  }

  /** Takes no more events. What is queued can still be read. */
  end(error?: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    const [first, ...others] = this.#waiters.splice(0);
    if (first === undefined) return;
    this.#end = { error: undefined };
    if (error === undefined) first.resolve({ value: undefined, done: true });
    else first.reject(error);
    for (const waiter of others) waiter.resolve({ value: undefined, done: true });
  }

  /** Forgets what nobody will read any more. */
  clear(): void {
    this.#items.length = 0;
    this.#queuedEvents = 0;
    this.#queuedBytes = 0;
    this.#dropped = 0;
  }

  // An event that is too large for the limit alone still gets through to a reader that keeps up.
  #hasRoomFor(bytes: number): boolean {
    const fits = this.#queuedBytes === 0 || this.#queuedBytes + bytes <= this.#maxQueuedBytes;
    return fits && this.#queuedEvents < this.#maxQueued;
  }

  #append(event: Event): void {
    if (this.#dropped > 0) this.#items.push({ kind: 'overflow', dropped: this.#dropped });
    this.#dropped = 0;
    this.#items.push(event);
    this.#queuedEvents++;
    this.#queuedBytes += this.bytesOf(event);
  }

  #replaceLast(mark: Event): void {
    this.#items[this.#items.length - 1] = mark;
    this.#lastMark = mark;
  }

  #shift(): Event | EventOverflow | undefined {
    const item = this.#items.shift();
    if (item !== undefined) {
      if (!isOverflow(item)) this.#queuedEvents--;
      this.#queuedBytes -= this.bytesOf(item);
      return item;
    }
    if (this.#dropped === 0) return undefined;
    const overflow: EventOverflow = { kind: 'overflow', dropped: this.#dropped };
    this.#dropped = 0;
    return overflow;
  }
}
