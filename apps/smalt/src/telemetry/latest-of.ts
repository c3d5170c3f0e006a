/** What the reading of several flows has come to. */
class Latest<T extends object> {
  readonly state: Partial<T> = {};
  #isNew = false;
  #changed = Promise.withResolvers<void>();

  async read<Key extends keyof T>(key: Key, flow: AsyncIterable<T[Key]>): Promise<void> {
    for await (const value of flow) {
      this.state[key] = value;
      this.#isNew = true;
      this.#changed.resolve();
    }
  }

  /** Whether something came since the last call; waits for it as long as `all` is not over. */
  async take(all: Promise<unknown>): Promise<boolean> {
    if (!this.#isNew) await Promise.race([this.#changed.promise, all]);
    const isNew = this.#isNew;
    this.#isNew = false;
    this.#changed = Promise.withResolvers();
    return isNew;
  }
}

/**
 * The newest of what each of several flows gave, whenever one of them gave something. Who reads slowly misses what was in
 * between. Ends when all have ended; what one throws is thrown.
 */
export async function* latestOf<T extends object>(flows: {
  readonly [Key in keyof T]: AsyncIterable<T[Key]>;
}): AsyncGenerator<Partial<T>, void> {
  const latest = new Latest<T>();
  const keys = Object.keys(flows).filter((key): key is keyof T & string => Object.hasOwn(flows, key));
  const all = Promise.all(keys.map((key) => latest.read(key, flows[key])));
  // Whoever iterates hears of it.
  all.catch(() => undefined);
  // Nothing new is left only when all have ended.
  while (await latest.take(all)) yield { ...latest.state };
}
