import type { LibvirtError } from '../libvirt-error.ts';
import type { EventOverflow, EventQueue } from './event-queue.ts';

/**
 * Events as they happen. Leaving the loop ends the registration at the daemon. When the connection is lost, the loop
 * throws the reason after the last event that arrived.
 */
export interface EventIterator<Event> extends AsyncIterableIterator<Event | EventOverflow, undefined>, AsyncDisposable {
  /** The kinds that were asked for but that this daemon does not have; only with `skipUnsupported`. */
  readonly skipped: readonly string[];
  /** What the daemon said to each of `skipped`, in the same order. */
  readonly skipReasons: readonly LibvirtError[];
  /** How many bytes an event of this iterator took on the wire. */
  bytesOf(item: Event | EventOverflow): number;
  return(): Promise<IteratorResult<Event | EventOverflow, undefined>>;
  [Symbol.asyncIterator](): EventIterator<Event>;
}

export interface EventIteratorParts<Event extends { readonly kind: string }> {
  readonly queue: EventQueue<Event>;
  readonly skipped: readonly string[];
  readonly skipReasons: readonly LibvirtError[];
  /** Ends the registration at the daemon. */
  readonly deregister: () => Promise<void>;
}

/** Joins a queue and its registration. */
export function createEventIterator<Event extends { readonly kind: string }>(
  parts: EventIteratorParts<Event>,
): EventIterator<Event> {
  const { queue, skipped, skipReasons, deregister } = parts;
  const iterator: EventIterator<Event> = {
    skipped,
    skipReasons,
    bytesOf: (item) => queue.bytesOf(item),
    next: () => queue.next(),
    return: async () => {
      queue.end();
      queue.clear();
      await deregister();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]: () => iterator,
    [Symbol.asyncDispose]: async () => {
      await iterator.return();
    },
  };
  return iterator;
}
