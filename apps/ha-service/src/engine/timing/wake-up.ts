import type { ServiceClock } from '../../ports/service-clock.ts';

const WOKEN = 'somebody woke it';

/** A sleep that others can end. What wakes nobody is remembered for the next sleep. */
export class WakeUp {
  #isCalled = false;
  #sleeper: AbortController | undefined;

  wake(): void {
    this.#isCalled = true;
    this.#sleeper?.abort(WOKEN);
  }

  /** Resolves after a while, or as soon as somebody wakes it; rejects when the signal fires. */
  async sleep(clock: ServiceClock, milliseconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#isCalled) {
      const sleeper = new AbortController();
      this.#sleeper = sleeper;
      const onAbort = (): void => sleeper.abort(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        // It ends early only because we were woken or are to stop, which is looked at below.
        await clock.wait(milliseconds, sleeper.signal).catch(() => undefined);
      } finally {
        signal.removeEventListener('abort', onAbort);
        this.#sleeper = undefined;
      }
    }
    this.#isCalled = false;
    signal.throwIfAborted();
  }
}
