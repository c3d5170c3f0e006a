import type { StoredObject } from './stored-object.ts';

const CAPACITY = 256;

/** Keeps what the newest objects say in memory, since what was just written is what is asked for next. */
export class ValueCache {
  readonly #kept: StoredObject[] = [];
  #next = 0;

  /** Keeps the value of this object, and lets go of the oldest one. */
  keep(object: StoredObject): StoredObject {
    this.#kept[this.#next]?.dropValue();
    this.#kept[this.#next] = object;
    this.#next = (this.#next + 1) % CAPACITY;
    return object;
  }
}
