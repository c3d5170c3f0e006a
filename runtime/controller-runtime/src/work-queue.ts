import { systemClock, type Clock } from './clock.ts';
import { BackOff, type RateLimiter } from './rate-limiter.ts';

/** Is told what happens in a queue, for metrics. */
export interface QueueObserver<Key> {
  added?(key: Key, depth: number): void;
  taken?(key: Key, waitedMs: number, depth: number): void;
  finished?(key: Key, workedMs: number): void;
  retried?(key: Key): void;
}

export interface WorkQueueOptions<Key> {
  readonly clock?: Clock | undefined;
  readonly rateLimiter?: RateLimiter<Key> | undefined;
  readonly observer?: QueueObserver<Key> | undefined;
}

interface Delayed {
  readonly dueAt: number;
  readonly cancel: () => void;
}

/**
 * Keys that want attention. A key is in the queue once however often it is added, and is never given to two workers at a
 * time: what is added while a worker has it comes again when that worker is done.
 */
export class WorkQueue<Key> {
  readonly #clock: Clock;
  readonly #rateLimiter: RateLimiter<Key>;
  readonly #observer: QueueObserver<Key>;
  /** Waiting, in the order they came, with the time of it. */
  readonly #waiting = new Map<Key, number>();
  readonly #working = new Map<Key, number>();
  /** Added while a worker had them. */
  readonly #again = new Set<Key>();
  readonly #delayed = new Map<Key, Delayed>();
  readonly #takers: ((key: Key | undefined) => void)[] = [];
  #isClosed = false;

  constructor({ clock = systemClock, rateLimiter, observer = {} }: WorkQueueOptions<Key> = {}) {
    this.#clock = clock;
    this.#rateLimiter = rateLimiter ?? new BackOff(clock);
    this.#observer = observer;
  }

  /** How many keys wait to be taken. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** For how long each key that is worked on has been. */
  workingMs(): readonly number[] {
    const now = this.#clock.now();
    return Array.from(this.#working.values(), (since) => now - since);
  }

  add(key: Key): void {
    if (this.#isClosed) return;
    if (this.#working.has(key)) {
      this.#again.add(key);
      return;
    }
    if (this.#waiting.has(key)) return;
    this.#waiting.set(key, this.#clock.now());
    this.#observer.added?.(key, this.#waiting.size);
    this.#serve();
  }

  /** Adds a key after a while; of two such wishes the earlier one counts. */
  addAfter(key: Key, delayMs: number): void {
    if (this.#isClosed) return;
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const dueAt = this.#clock.now() + delayMs;
    const earlier = this.#delayed.get(key);
    if (earlier !== undefined && earlier.dueAt <= dueAt) return;
    earlier?.cancel();
    const cancel = this.#clock.later(delayMs, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { dueAt, cancel });
  }

  /** Adds a key that has failed, later each time. Returns after how long. */
  addRateLimited(key: Key): number {
    const delayMs = this.#rateLimiter.delayMs(key);
    this.#observer.retried?.(key);
    this.addAfter(key, delayMs);
    return delayMs;
  }

  /** The key has succeeded: its next failure is its first. */
  forget(key: Key): void {
    this.#rateLimiter.forget(key);
  }

  /** The next key, when there is one; undefined when the queue is closed. `finish` must be called for it. */
  take(): Promise<Key | undefined> {
    const { promise, resolve } = Promise.withResolvers<Key | undefined>();
    this.#takers.push(resolve);
    this.#serve();
    return promise;
  }

  finish(key: Key): void {
    const since = this.#working.get(key);
    if (since === undefined) return;
    this.#working.delete(key);
    this.#observer.finished?.(key, this.#clock.now() - since);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Nobody is given a key any more; what is being worked on goes on. */
  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#waiting.clear();
    for (const resolve of this.#takers.splice(0)) resolve(undefined);
  }

  #serve(): void {
    if (this.#isClosed) {
      for (const resolve of this.#takers.splice(0)) resolve(undefined);
      return;
    }
    for (const [key, since] of this.#waiting) {
      const resolve = this.#takers.shift();
      if (resolve === undefined) return;
      const now = this.#clock.now();
      this.#waiting.delete(key);
      this.#working.set(key, now);
      this.#observer.taken?.(key, now - since, this.#waiting.size);
      resolve(key);
    }
  }
}
