import type { Clock } from './clock.ts';

/** Says how long a key has to wait before it is tried again. */
export interface RateLimiter<Key> {
  delayMs(key: Key): number;
  /** The key has succeeded: its next failure is its first. */
  forget(key: Key): void;
  failures(key: Key): number;
}

export interface BackOffOptions {
  readonly firstMs?: number | undefined;
  readonly longestMs?: number | undefined;
  /** How many retries of all keys together are let through each second, in the long run. */
  readonly perSecond?: number | undefined;
  /** How many may come at once. */
  readonly burst?: number | undefined;
}

/** Doubles the delay of a key with each failure, and keeps all keys together from storming: 5 ms to 1000 s, 10 a second. */
export class BackOff<Key> implements RateLimiter<Key> {
  readonly #failures = new Map<Key, number>();
  readonly #firstMs: number;
  readonly #longestMs: number;
  readonly #bucket: TokenBucket;

  constructor(clock: Clock, { firstMs = 5, longestMs = 1_000_000, perSecond = 10, burst = 100 }: BackOffOptions = {}) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#bucket = new TokenBucket(clock, perSecond, burst);
  }

  delayMs(key: Key): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const own = Math.min(this.#longestMs, this.#firstMs * 2 ** failures);
    return Math.max(own, this.#bucket.take());
  }

  forget(key: Key): void {
    this.#failures.delete(key);
  }

  failures(key: Key): number {
    return this.#failures.get(key) ?? 0;
  }
}

class TokenBucket {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt: number;

  constructor(clock: Clock, perSecond: number, burst: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAt = clock.monotonic();
  }

  /** Takes a token, one of the future if there is none, and says how far in the future it lies. */
  take(): number {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#filledAt) / 1000) * this.#perSecond);
    this.#filledAt = now;
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1000;
  }
}
