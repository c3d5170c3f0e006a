/** Reads what a feed publishes. Leaving the iteration, or disposing of it, stops it at once. */
export interface FeedReader<Item> extends AsyncIterableIterator<Item, undefined>, AsyncDisposable {
  return(): Promise<IteratorResult<Item, undefined>>;
}

/**
 * Tells any number of readers what the latest item is, and then every further one. A reader that falls behind by more
 * than `maxWaiting` items misses the oldest of them, never the newest.
 */
export class StateFeed<Item> {
  readonly #maxWaiting: number;
  readonly #readers = new Set<Reader<Item>>();
  #latest: Item;
  #isEnded = false;

  constructor(first: Item, maxWaiting: number) {
    this.#latest = first;
    this.#maxWaiting = maxWaiting;
  }

  get latest(): Item {
    return this.#latest;
  }

  publish(item: Item): void {
    this.#latest = item;
    for (const reader of this.#readers) reader.push(item);
  }

  /** Ends every reader once it has seen what was published. */
  end(): void {
    this.#isEnded = true;
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
  }

  read(): FeedReader<Item> {
    const reader = new Reader<Item>(this.#maxWaiting, () => this.#readers.delete(reader));
    reader.push(this.#latest);
    if (this.#isEnded) reader.end();
    else this.#readers.add(reader);
    return reader;
  }
}

class Reader<Item> implements FeedReader<Item> {
  readonly #maxWaiting: number;
  readonly #onReturn: () => void;
  readonly #results: IteratorYieldResult<Item>[] = [];
  readonly #waiting: ((result: IteratorResult<Item, undefined>) => void)[] = [];
  #isEnded = false;

  constructor(maxWaiting: number, onReturn: () => void) {
    this.#maxWaiting = maxWaiting;
    this.#onReturn = onReturn;
  }

  push(item: Item): void {
    const result = { done: false as const, value: item };
    const waiting = this.#waiting.shift();
    if (waiting) {
      waiting(result);
      return;
    }
    this.#results.push(result);
    if (this.#results.length > this.#maxWaiting) this.#results.shift();
  }

  end(): void {
    this.#isEnded = true;
    for (const waiting of this.#waiting.splice(0)) waiting({ done: true, value: undefined });
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    const result = this.#results.shift();
    if (result) return Promise.resolve(result);
    if (this.#isEnded) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  return(): Promise<IteratorResult<Item, undefined>> {
    this.#onReturn();
    this.#results.length = 0;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}
