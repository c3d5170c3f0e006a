import type { ServiceClock } from '../ports/service-clock.ts';

/** What a watch has missed while there was none comes within a moment. */
const CATCH_UP_MS = 2_000;

/** Since when the API server has been within reach: it answers when it is asked, and no watch is known to be broken. */
export class ApiReach {
  readonly #clock: ServiceClock;
  readonly #broken = new Set<string>();
  #since: number | undefined;
  #caughtUpAt = Number.NEGATIVE_INFINITY;

  constructor(clock: ServiceClock) {
    this.#clock = clock;
  }

  get since(): number | undefined {
    return this.#since;
  }

  /** It has answered; what the watches have missed while they were broken is there only once they are back. */
  answered(): void {
    const now = this.#clock.now();
    if (this.#broken.size === 0 && now >= this.#caughtUpAt) this.#since ??= now;
  }

  failed(): void {
    this.#since = undefined;
  }

  /** A watch is broken until it is said to be there again, however long that takes. */
  watchFailed(watch: string): void {
    this.#since = undefined;
    this.#broken.add(watch);
  }

  watchReady(watch: string): void {
    if (this.#broken.delete(watch)) this.#caughtUpAt = this.#clock.now() + CATCH_UP_MS;
  }
}
