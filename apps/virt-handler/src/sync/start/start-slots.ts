import type { ObjectKey } from '@smalt/controller-runtime';

/** Lets a few guests start at a time. Who finds no place is woken up when there is one, in the order they came. */
export class StartSlots {
  readonly #limit: number;
  readonly #wake: (key: ObjectKey) => void;
  readonly #taken = new Set<ObjectKey>();
  readonly #waiting = new Set<ObjectKey>();

  constructor(limit: number, wake: (key: ObjectKey) => void) {
    this.#limit = limit;
    this.#wake = wake;
  }

  /** A place that is given back by disposing of it; undefined when there is none. */
  take(key: ObjectKey): Disposable | undefined {
    if (this.#taken.size >= this.#limit) {
      this.#waiting.add(key);
      return undefined;
    }
    this.#waiting.delete(key);
    this.#taken.add(key);
    return { [Symbol.dispose]: () => this.#giveBack(key) };
  }

  #giveBack(key: ObjectKey): void {
    this.#taken.delete(key);
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    this.#wake(next);
  }
}
