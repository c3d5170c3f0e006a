/** Lets one side sleep until the other has something for it. */
export class Wakeup {
  #next: PromiseWithResolvers<void> = Promise.withResolvers<void>();

  /** Ends the waiting of all who wait now, or of the next who does. */
  wake(): void {
    this.#next.resolve();
  }

  /** Resolves at the first `wake` since the last wait came to its end. */
  async wait(): Promise<void> {
    const { promise } = this.#next;
    await promise;
    if (this.#next.promise === promise) this.#next = Promise.withResolvers<void>();
  }
}
