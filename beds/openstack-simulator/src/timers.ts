/** Things that happen later. None happens after these are disposed of. */
export class Timers implements Disposable {
  readonly #pending = new Set<NodeJS.Timeout>();

  after(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#pending.delete(timer);
      act();
    }, milliseconds);
    this.#pending.add(timer);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#pending) clearTimeout(timer);
    this.#pending.clear();
  }
}
