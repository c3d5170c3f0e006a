/** Signals that fire after a while. Those who ask within the same second share one, since a timer for each request costs. */
export class Deadlines {
  readonly #milliseconds: number;
  #kept: { readonly signal: AbortSignal; readonly until: number } | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Fires no sooner than asked for, and at most a second later. */
  at(now: number): AbortSignal {
    if (this.#kept === undefined || now >= this.#kept.until) {
      this.#kept = { signal: AbortSignal.timeout(this.#milliseconds + 1_000), until: now + 1_000 };
    }
    return this.#kept.signal;
  }
}
