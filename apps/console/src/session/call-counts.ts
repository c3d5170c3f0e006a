import { ConsoleError } from '../console-error.ts';

/** Counts what each session or user has under way, and lets them have so much at a time. */
export class CallCounts {
  readonly #most: number;
  readonly #what: string;
  readonly #counts = new Map<string, number>();

  constructor(what: string, most: number) {
    this.#what = what;
    this.#most = most;
  }

  /** Counts one until what it returns is disposed of. Throws `too-many-requests` where that would be too much. */
  begin(id: string): Disposable {
    const count = this.#counts.get(id) ?? 0;
    if (count >= this.#most) {
      const message = `you have ${this.#most} ${this.#what} at a time already: close a page, and try again`;
      throw new ConsoleError('too-many-requests', message);
    }
    this.#counts.set(id, count + 1);
    return {
      [Symbol.dispose]: () => {
        const left = (this.#counts.get(id) ?? 1) - 1;
        if (left === 0) this.#counts.delete(id);
        else this.#counts.set(id, left);
      },
    };
  }
}
