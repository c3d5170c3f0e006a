/** Lets one at a time do something, in the order in which they came. */
export class TurnTaker {
  #last: Promise<void> = Promise.resolve();

  async take<Result>(use: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    try {
      signal.throwIfAborted();
      return await use();
    } finally {
      resolve();
    }
  }
}
