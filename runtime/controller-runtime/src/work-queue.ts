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

/** How many places at the front of the line may be empty before the rest moves up. */
const MOST_EMPTY = 1024;

/**
 * Keys that want attention. A key is in the queue once however often it is added, and is never given to two workers at a
 * time: what is added while a worker has it comes again when that worker is done.
 */
export class WorkQueue<Key> {
  readonly #clock: Clock;
  readonly #rateLimiter: RateLimiter<Key>;
  readonly #observer: QueueObserver<Key>;
  /** Waiting, with the time they came. */
  readonly #waiting = new Map<Key, number>();
  /** The same keys in the order they came, from `#first` on: to find the first key of a large map is slow. */
  #line: Key[] = [];
  #first = 0;
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
    const now = this.#clock.monotonic();
    return Array.from(this.#working.values(), (since) => now - since);
  }

  add(key: Key): void {
    if (this.#isClosed || this.#waiting.has(key)) return;
    if (this.#working.has(key)) {
      this.#again.add(key);
      return;
    }
    this.#waiting.set(key, this.#clock.monotonic());
    this.#line.push(key);
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
    const dueAt = this.#clock.monotonic() + delayMs;
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
    if (this.#isClosed) resolve(undefined);
    else this.#takers.push(resolve);
    this.#serve();
    return promise;
  }

  finish(key: Key): void {
    const since = this.#working.get(key);
    if (since === undefined) return;
    this.#working.delete(key);
    this.#observer.finished?.(key, this.#clock.monotonic() - since);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Nobody is given a key any more; what is being worked on goes on. */
  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#waiting.clear();
    this.#again.clear();
    this.#line = [];
    this.#first = 0;
    for (const resolve of this.#takers.splice(0)) resolve(undefined);
  }

  #serve(): void {
    while (this.#takers.length > 0 && this.#first < this.#line.length) {
      const resolve = this.#takers.shift();
      resolve?.(this.#next());
    }
  }

  #next(): Key | undefined {
    const key = this.#line[this.#first];
    const since = key === undefined ? undefined : this.#waiting.get(key);
    if (key === undefined || since === undefined) return undefined;
    this.#first++;
    if (this.#first > MOST_EMPTY && this.#first * 2 > this.#line.length) {
      this.#line = this.#line.slice(this.#first);
      this.#first = 0;
    }
    const now = this.#clock.monotonic();
    this.#waiting.delete(key);
    this.#working.set(key, now);
    this.#observer.taken?.(key, now - since, this.#waiting.size);
    return key;
  }
}
