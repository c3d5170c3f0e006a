import type { Clock } from './clock.ts';

interface Timer {
  readonly dueAt: number;
  readonly run: () => void;
}

/** A clock for tests: it stands still until it is moved, and lets everything that follows from a timer happen. */
export class TestClock implements Clock {
  /** How far the wall clock is off. */
  wallOffset: number = Date.parse('2026-01-01T00:00:00Z');
  #time = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#time + this.wallOffset;
  }

  monotonic(): number {
    return this.#time;
  }

  get timers(): number {
    return this.#timers.size;
  }

  async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const cancel = this.later(milliseconds, resolve);
    const onAbort = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      cancel();
      signal?.removeEventListener('abort', onAbort);
    }
  }

  later(milliseconds: number, run: () => void): () => void {
    const timer = { dueAt: this.#time + milliseconds, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Moves on, timer by timer. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#time + milliseconds;
    await settle();
    for (;;) {
      const due = [...this.#timers].filter(({ dueAt }) => dueAt <= end).toSorted((a, b) => a.dueAt - b.dueAt)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#time = Math.max(this.#time, due.dueAt);
      due.run();
      await settle();
    }
    this.#time = end;
  }
}

/** Lets promises that need nothing from outside run to their end. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}
