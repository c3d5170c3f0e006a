import type { Clock } from '../clock.ts';

interface Alarm {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test turns it. */
export class ManualClock implements Clock {
  readonly #alarms = new Set<Alarm>();
  #now = 0;
  /** How many timers were ever asked for. */
  scheduled = 0;

  now(): number {
    return this.#now;
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#alarms.size;
  }

  schedule(callback: () => void, delayMs: number): () => void {
    const alarm: Alarm = { at: this.#now + delayMs, callback };
    this.#alarms.add(alarm);
    this.scheduled++;
    return () => this.#alarms.delete(alarm);
  }

  /** Lets time pass, and calls back in the order of the alarms. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.#alarms].filter((alarm) => alarm.at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#alarms.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
  }
}
