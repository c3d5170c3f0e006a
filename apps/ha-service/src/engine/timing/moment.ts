import type { ServiceClock } from '../../ports/service-clock.ts';

/**
 * A moment, and how long ago it was. The steady clock stands still while a machine sleeps, and the wall clock may be set:
 * the one that says that more time has passed is believed, so whoever slept knows that it did.
 */
export class Moment {
  readonly #clock: ServiceClock;
  readonly #at: number;
  readonly #wallAt: number | undefined;

  constructor(clock: ServiceClock) {
    this.#clock = clock;
    this.#at = clock.now();
    this.#wallAt = clock.wallNow?.();
  }

  get at(): number {
    return this.#at;
  }

  ageMs(): number {
    const wallNow = this.#clock.wallNow?.();
    const ageMs = this.#clock.now() - this.#at;
    return wallNow === undefined || this.#wallAt === undefined ? ageMs : Math.max(ageMs, wallNow - this.#wallAt);
  }
}
