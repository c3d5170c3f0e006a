/** The captures that an agent runs, by the ids that their mirrors carry in `external_ids:smalt-capture`. */
export class RunningCaptures {
  readonly #ids = new Set<string>();

  /** It is the same set at all times, and changes with them. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** Counts a capture as running until that is disposed of. */
  add(id: string): Disposable {
    this.#ids.add(id);
    return { [Symbol.dispose]: () => void this.#ids.delete(id) };
  }
}
