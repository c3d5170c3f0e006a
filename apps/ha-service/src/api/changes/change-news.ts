/** What happened: something was written into the store, or the leader has looked at the fleet. */
export type News = 'store' | 'look';

/** Passes on within one replica that something may have changed. */
export class ChangeNews {
  readonly #listeners = new Set<(news: News) => void>();

  tell(news: News): void {
    for (const listener of this.#listeners) listener(news);
  }

  /** Calls back until what it returns is disposed of. */
  listen(listener: (news: News) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
