export interface WriteBudgetOptions {
  /** So many writes may follow one another at once. */
  readonly burst: number;
  /** After so long one more is allowed. */
  readonly refillMs: number;
}

/** How many writes there may be: a few at once, then one every so often, however much there is to write. */
export class WriteBudget {
  readonly #options: WriteBudgetOptions;
  #left: number;
  #at: number | undefined;

  constructor(options: WriteBudgetOptions) {
    this.#options = options;
    this.#left = options.burst;
  }

  /** How long the next write has to wait. */
  waitMs(now: number): number {
    this.#refill(now);
    return this.#left >= 1 ? 0 : Math.ceil((1 - this.#left) * this.#options.refillMs);
  }

  /** Takes one write; whether it is allowed is the business of `waitMs`. */
  take(now: number): void {
    this.#refill(now);
    this.#left = Math.max(0, this.#left - 1);
  }

  #refill(now: number): void {
    const { burst, refillMs } = this.#options;
    if (this.#at !== undefined) this.#left = Math.min(burst, this.#left + Math.max(0, now - this.#at) / refillMs);
    this.#at = now;
  }
}
