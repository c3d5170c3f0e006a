import type { Clock, ObjectKey } from '@smalt/controller-runtime';

/** Many changes come together: one look at all that waits does for all of them. */
const PAUSE_MS = 100;

/** The pods that fitted nowhere, which are tried again when something changes. */
export class WaitingPods implements Disposable {
  readonly #clock: Pick<Clock, 'later'>;
  readonly #retry: (key: ObjectKey) => void;
  readonly #keys = new Set<ObjectKey>();
  #cancel: (() => void) | undefined;

  constructor(clock: Pick<Clock, 'later'>, retry: (key: ObjectKey) => void) {
    this.#clock = clock;
    this.#retry = retry;
  }

  get size(): number {
    return this.#keys.size;
  }

  add(key: ObjectKey): void {
    this.#keys.add(key);
  }

  delete(key: ObjectKey): void {
    this.#keys.delete(key);
  }

  /** Has all of them tried again, soon. */
  wake(): void {
    if (this.#cancel !== undefined || this.#keys.size === 0) return;
    this.#cancel = this.#clock.later(PAUSE_MS, () => {
      this.#cancel = undefined;
      for (const key of this.#keys) this.#retry(key);
    });
  }

  [Symbol.dispose](): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
