import type { Clock } from '../clock.ts';

const MOST_SKIPPED = 64;
/** So many calls keep a daemon at work for longer than a pause takes. */
const CROWD = 8;
const PAUSE_MS = 0.1;
/** A turn of an event loop with nothing to do takes a few microseconds. */
const IDLE_TURN_MS = 0.03;

interface Watched {
  /** How many calls wait for their reply. */
  readonly waiting: () => number;
  /** Lets time pass without giving the processor away. */
  readonly pause: (ms: number) => void;
}

/**
 * Keeps the event loop turning for a moment after a call was sent, instead of letting the process sleep until the reply
 * arrives: to wake a process up costs both sides more than a fast daemon takes to answer.
 * See docs/decisions/0007-wait-awake-for-fast-replies.md.
 *
 * A daemon that answers late costs one such moment, then fewer and fewer: after every wait in vain more calls are sent
 * without one, until a reply comes in time again.
 *
 * While many calls wait it looks at the socket only now and then, as long as the loop has nothing else to do: whoever
 * reads each reply by itself gets in the daemon's way, which sends and reads on the same socket.
 */
export class BusyPoll {
  readonly #limitMs: number;
  readonly #clock: Clock;
  readonly #watched: Watched;
  readonly #turn = (): void => this.#onTurn();
  #isPolling = false;
  #until = 0;
  #hasHeard = false;
  #hasHeardInTurn = false;
  #turnedAt = 0;
  #skipped = 0;
  #toSkip = 0;

  constructor(limitMs: number, clock: Clock, watched: Watched) {
    this.#limitMs = limitMs;
    this.#clock = clock;
    this.#watched = watched;
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
    this.#hasHeardInTurn = true;
    if (this.#isPolling) this.#until = this.#clock.now() + this.#limitMs;
  }

  #onTurn(): void {
    const waiting = this.#watched.waiting();
    const now = this.#clock.now();
    if (waiting > 0 && now < this.#until) {
      if (waiting >= CROWD && this.#isLoopFree(now)) this.#watched.pause(PAUSE_MS);
      this.#hasHeardInTurn = false;
      this.#turnedAt = this.#clock.now();
      setImmediate(this.#turn);
      return;
    }
    this.#isPolling = false;
    this.#skipped = 0;
    this.#toSkip = this.#hasHeard ? 0 : Math.min(MOST_SKIPPED, this.#toSkip * 2 + 1);
  }

  /** Whether replies are all that the last turn was for. */
  #isLoopFree(now: number): boolean {
    return this.#hasHeardInTurn || now - this.#turnedAt < IDLE_TURN_MS;
  }
}
