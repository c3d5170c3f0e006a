import type { Clock } from '../clock.ts';

const MOST_SKIPPED = 64;

/**
 * Keeps the event loop turning for a moment after a call was sent, instead of letting the process sleep until the reply
 * arrives: to wake a process up costs both sides more than a fast daemon takes to answer.
 * See docs/decisions/0007-wait-awake-for-fast-replies.md.
 *
 * A daemon that answers late costs one such moment, then fewer and fewer: after every wait in vain more calls are sent
 * without one, until a reply comes in time again.
 */
export class BusyPoll {
  readonly #limitMs: number;
  readonly #clock: Clock;
  readonly #isWaiting: () => boolean;
  readonly #turn = (): void => this.#onTurn();
  #isPolling = false;
  #until = 0;
  #hasHeard = false;
  #skipped = 0;
  #toSkip = 0;

  /** `isWaiting` tells whether any call waits for its reply. */
  constructor(limitMs: number, clock: Clock, isWaiting: () => boolean) {
    this.#limitMs = limitMs;
    this.#clock = clock;
    this.#isWaiting = isWaiting;
  }

  /** A call is on its way. */
  sent(): void {
    if (this.#limitMs === 0) return;
    this.#until = this.#clock.now() + this.#limitMs;
    if (this.#isPolling) return;
    if (this.#skipped < this.#toSkip) {
      this.#skipped++;
      return;
    }
    this.#isPolling = true;
    this.#hasHeard = false;
    setImmediate(this.#turn);
  }

  /** Something arrived. */
  heard(): void {
    this.#hasHeard = true;
    if (this.#isPolling) this.#until = this.#clock.now() + this.#limitMs;
  }

  #onTurn(): void {
    if (this.#isWaiting() && this.#clock.now() < this.#until) {
      setImmediate(this.#turn);
      return;
    }
    this.#isPolling = false;
    this.#skipped = 0;
    this.#toSkip = this.#hasHeard ? 0 : Math.min(MOST_SKIPPED, this.#toSkip * 2 + 1);
  }
}
