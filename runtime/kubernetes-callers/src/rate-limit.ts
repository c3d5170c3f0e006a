import type { CallersClock } from './callers-clock.ts';

const MOST_CALLERS = 100_000;

/** Lets each caller through so often in a second, and twice as often at once. */
export class RateLimit {
  readonly #clock: CallersClock;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(clock: CallersClock) {
    this.#clock = clock;
  }

  /** Whether the caller may go on. */
  take(caller: string, perSecond: number): boolean {
    const now = this.#clock.now();
    const most = perSecond * 2;
    const bucket = this.#buckets.get(caller) ?? { left: most, at: now };
    const left = Math.min(most, bucket.left + ((now - bucket.at) * perSecond) / 1_000);
    // Whoever was quiet is forgotten with the rest, which only makes the limit kinder for a moment.
    if (this.#buckets.size >= MOST_CALLERS) this.#buckets.clear();
    this.#buckets.set(caller, { left: Math.max(0, left - 1), at: now });
    return left >= 1;
  }
}
