/** Those who ask so soon after each other share a signal: a timer for each request costs, and so do many listeners on one. */
const SHARED_MS = 20;

/** Signals that fire after a while. */
export class Deadlines {
  readonly #milliseconds: number;
  #kept: { readonly signal: AbortSignal; readonly until: number } | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Fires no sooner than asked for, and hardly later. */
  at(now: number): AbortSignal {
    if (this.#kept === undefined || now >= this.#kept.until) {
      this.#kept = { signal: AbortSignal.timeout(this.#milliseconds + SHARED_MS), until: now + SHARED_MS };
    }
    return this.#kept.signal;
  }
}
