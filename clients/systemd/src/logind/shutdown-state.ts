import { Wakeup } from '../bus/wakeup.ts';

/** Whether a shutdown is under way, for one reader, who is told only of what differs from what it was told before. */
export class ShutdownState {
  readonly #wakeup: Wakeup = new Wakeup();
  #told = false;
  #latest = false;

  set(isShuttingDown: boolean): void {
    this.#latest = isShuttingDown;
    this.#wakeup.wake();
  }

  take(): boolean | undefined {
    if (this.#latest === this.#told) return undefined;
    this.#told = this.#latest;
    return this.#latest;
  }

  wake(): void {
    this.#wakeup.wake();
  }

  async wait(): Promise<void> {
    await this.#wakeup.wait();
  }
}
