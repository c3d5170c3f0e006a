import type { ServiceClock } from '../ports/service-clock.ts';

/** What a watch has missed while there was none comes within a moment. */
const CATCH_UP_MS = 2_000;

/** The next watch after one that ended in good order is there in a moment; one that hangs is as good as none. */
const REOPEN_MS = 3_000;

/**
 * Since when the API server has been within reach: it answers when it is asked, each of the watches was there once, and none is
 * known to be broken.
 */
export class ApiReach {
  readonly #clock: ServiceClock;
  readonly #unopened: Set<string>;
  readonly #broken = new Set<string>();
  readonly #endedAt = new Map<string, number>();
  #since: number | undefined;
  #caughtUpAt = Number.NEGATIVE_INFINITY;

  constructor(clock: ServiceClock, watches: readonly string[]) {
    this.#clock = clock;
    this.#unopened = new Set(watches);
  }

  get since(): number | undefined {
    this.#missEnded();
    return this.#since;
  }

  /** It has answered; what the watches have missed while they were broken is there only once they are back. */
  answered(): void {
    this.#missEnded();
    const now = this.#clock.now();
    if (this.#unopened.size + this.#broken.size === 0 && now >= this.#caughtUpAt) this.#since ??= now;
  }

  failed(): void {
    this.#since = undefined;
  }

  /** A watch is broken until it is said to be there again, however long that takes. */
  watchFailed(watch: string): void {
    this.#since = undefined;
    this.#endedAt.delete(watch);
    this.#broken.add(watch);
  }

  /** A watch has ended in good order: the next one has a moment to be there. */
  watchEnded(watch: string): void {
    if (!this.#broken.has(watch)) this.#endedAt.set(watch, this.#clock.now());
  }

  watchReady(watch: string): void {
    this.#missEnded();
    this.#unopened.delete(watch);
    this.#endedAt.delete(watch);
    if (this.#broken.delete(watch)) this.#caughtUpAt = this.#clock.now() + CATCH_UP_MS;
  }

  #missEnded(): void {
    const now = this.#clock.now();
    for (const [watch, endedAt] of this.#endedAt) if (now - endedAt > REOPEN_MS) this.watchFailed(watch);
  }
}
