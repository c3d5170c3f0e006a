import type { Clock } from '../clock.ts';

/** Wakes one waiter up. What rings while nobody waits is remembered once. */
export class Bell {
  readonly #clock: Clock;
  #rung = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#rung.resolve();
  }

  /** Resolves when it rings, after a while, or when the signal fires; tells whether it rang. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const enough = new AbortController();
    const waiting = this.#clock.wait(milliseconds, AbortSignal.any([signal, enough.signal])).catch(() => undefined);
    const hasRung = await Promise.race([this.#rung.promise.then(() => true), waiting.then(() => false)]);
    enough.abort();
    if (hasRung) this.#rung = Promise.withResolvers<void>();
    return hasRung;
  }
}
