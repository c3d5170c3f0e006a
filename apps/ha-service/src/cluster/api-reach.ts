import type { ServiceClock } from '../ports/service-clock.ts';

/** A watch that is begun anew takes a moment until it is there. */
const NEW_WATCH_MS = 2_000;

/** Since when the API server has been within reach: it answers when it is asked, and no watch is known to be broken. */
export class ApiReach {
  readonly #clock: ServiceClock;
  #since: number | undefined;
  #watchesBrokenUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: ServiceClock) {
    this.#clock = clock;
  }

  get since(): number | undefined {
    return this.#since;
  }

  /** It has answered; what the watches have missed while they were broken is there only once they are back. */
  answered(): void {
    const now = this.#clock.now();
    if (now >= this.#watchesBrokenUntil) this.#since ??= now;
  }

  failed(): void {
    this.#since = undefined;
  }

  watchFailed(retryMs: number): void {
    this.#since = undefined;
    this.#watchesBrokenUntil = Math.max(this.#watchesBrokenUntil, this.#clock.now() + retryMs + NEW_WATCH_MS);
  }
}
