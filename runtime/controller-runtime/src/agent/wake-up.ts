import type { Clock } from '../clock.ts';

/** Wakes one loop up. What rings while the loop is busy is remembered, and counts once however often it rang. */
export class WakeUp {
  readonly #clock: Pick<Clock, 'later'>;
  #hasRung = false;
  #wake: (() => void) | undefined;

  constructor(clock: Pick<Clock, 'later'>) {
    this.#clock = clock;
  }

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  /** Resolves when it rings or has rung since the last wait, after a while (`Infinity`: never), or with the signal. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasRung && !signal.aborted) await this.#sleep(milliseconds, signal);
    this.#hasRung = false;
  }

  async #sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    this.#wake = wake;
    const cancel = Number.isFinite(milliseconds) ? this.#clock.later(milliseconds, wake) : undefined;
    signal.addEventListener('abort', wake, { once: true });
    await promise;
    signal.removeEventListener('abort', wake);
    cancel?.();
    this.#wake = undefined;
  }
}
