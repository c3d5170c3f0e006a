/** The names of one directory, none of them twice. */
export class NameRegistry {
  readonly #taken = new Set<string>();
  /** Where to go on for each first choice: many names may shorten to the same one. */
  readonly #attempts = new Map<string, number>();

  /** Takes the first of `candidate(0)`, `candidate(1)`, … that is free. */
  take(candidate: (attempt: number) => string): string {
    const first = candidate(0);
    for (let attempt = this.#attempts.get(first) ?? 0; ; attempt += 1) {
      const name = candidate(attempt);
      if (this.#taken.has(name)) continue;
      this.#taken.add(name);
      this.#attempts.set(first, attempt + 1);
      return name;
    }
  }
}
