/** What is known of the last so many migrations; the longest known goes first. Only for what can be found out again. */
export class LastMigrations<Known> {
  readonly #most: number;
  readonly #known = new Map<string, Known>();

  constructor(most: number) {
    this.#most = most;
  }

  get(uid: string): Known | undefined {
    return this.#known.get(uid);
  }

  set(uid: string, known: Known): void {
    this.#known.delete(uid);
    this.#known.set(uid, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#most && oldest !== undefined) this.#known.delete(oldest);
  }

  delete(uid: string): void {
    this.#known.delete(uid);
  }
}
