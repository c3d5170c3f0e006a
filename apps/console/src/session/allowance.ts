import type { ConsoleClock } from '../console-clock.ts';

const MINUTE_MS = 60_000;
const MOST_KEYS = 10_000;

interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** How often each of many may do something in a span of time, a minute if none is given. What was taken in vain is given back. */
export class Allowance {
  readonly #clock: ConsoleClock;
  readonly #most: number;
  readonly #spanMs: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: ConsoleClock, most: number, spanMs: number = MINUTE_MS) {
    this.#clock = clock;
    this.#most = most;
    this.#spanMs = spanMs;
  }

  /** Takes one; false when there is none left. */
  take(key: string): boolean {
    const left = this.#left(key);
    if (left < 1) return false;
    this.#put(key, left - 1);
    return true;
  }

  giveBack(key: string): void {
    this.#put(key, Math.min(this.#most, this.#left(key) + 1));
  }

  #left(key: string): number {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return this.#most;
    const grown = ((this.#clock.now() - bucket.at) * this.#most) / this.#spanMs;
    return Math.min(this.#most, bucket.left + Math.max(0, grown));
  }

  #put(key: string, left: number): void {
    // Put at the end, so that the first is the one that was quiet longest.
    this.#buckets.delete(key);
    this.#buckets.set(key, { left, at: this.#clock.now() });
    if (this.#buckets.size <= MOST_KEYS) return;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
