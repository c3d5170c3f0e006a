import { BoundedQueue } from './bounded-queue.ts';
import type { StoredObject } from './stored-object.ts';

const LIMITS = { items: 256, bytes: 4 * 1024 * 1024 };

/** Keeps what the newest objects say in memory, since what was just written is what is asked for next. */
export class ValueCache {
  readonly #kept = new BoundedQueue<StoredObject>(LIMITS, (object) => object.dropValue());

  /** Keeps the value of this object, and lets go of the oldest ones. */
  keep(object: StoredObject): StoredObject {
    this.#kept.push(object, object.byteLength);
    return object;
  }
}
