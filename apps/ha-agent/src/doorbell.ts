/** Wakes one who waits, at the earliest moment that anybody asked for. */
export class Doorbell {
  #dueAt = Infinity;
  #timer: NodeJS.Timeout | undefined;
  #waiter: (() => void) | undefined;

  /** Asks for a wake-up within this time. */
  ring(delayMs: number): void {
    const dueAt = performance.now() + delayMs;
    if (dueAt >= this.#dueAt) return;
    this.#dueAt = dueAt;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#wake(), delayMs).unref();
  }

  // Timers may come a little early: what is due is what they say, not the clock.
  #wake(): void {
    this.#dueAt = 0;
    this.#waiter?.();
  }

  /** Resolves when a wake-up is due, or when the signal fires. */
  async wait(signal: AbortSignal): Promise<void> {
    const woken = Promise.withResolvers<void>();
    const wake = (): void => woken.resolve();
    this.#waiter = wake;
    signal.addEventListener('abort', wake, { once: true });
    try {
      if (!signal.aborted && this.#dueAt > performance.now()) await woken.promise;
    } finally {
      signal.removeEventListener('abort', wake);
      clearTimeout(this.#timer);
      this.#waiter = undefined;
      this.#dueAt = Infinity;
    }
  }
}
