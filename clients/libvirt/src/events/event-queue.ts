import type { LibvirtError } from '../libvirt-error.ts';

/** Stands where events were dropped because nobody read them in time. */
export interface EventOverflow {
  readonly kind: 'overflow';
  readonly dropped: number;
}

type Waiter<Event> = PromiseWithResolvers<IteratorResult<Event | EventOverflow, undefined>>;

/**
 * Events between the socket and a reader. It holds a bounded number of them; what does not fit is counted, and the
 * count is delivered in the place of what was dropped.
 */
export class EventQueue<Event extends { readonly kind: string }> {
  readonly #maxQueued: number;
  readonly #items: (Event | EventOverflow)[] = [];
  readonly #waiters: Waiter<Event>[] = [];
  #dropped = 0;
  #queuedEvents = 0;
  #end: { readonly error: LibvirtError | undefined } | undefined;

  constructor(maxQueued: number) {
    this.#maxQueued = maxQueued;
  }

  push(event: Event): void {
    if (this.#end !== undefined) return;
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) waiter.resolve({ value: event, done: false });
    else if (this.#queuedEvents >= this.#maxQueued) this.#dropped++;
    else this.#append(event);
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
  end(error?: LibvirtError): void {
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
    this.#dropped = 0;
  }

  #append(event: Event): void {
    if (this.#dropped > 0) this.#items.push({ kind: 'overflow', dropped: this.#dropped });
    this.#dropped = 0;
    this.#items.push(event);
    this.#queuedEvents++;
  }

  #shift(): Event | EventOverflow | undefined {
    const item = this.#items.shift();
    if (item !== undefined) {
      if (item.kind !== 'overflow') this.#queuedEvents--;
      return item;
    }
    if (this.#dropped === 0) return undefined;
    const overflow: EventOverflow = { kind: 'overflow', dropped: this.#dropped };
    this.#dropped = 0;
    return overflow;
  }
}
