/** Knows which fields of a log line are never shown. */
export class Redaction {
  readonly #names: ReadonlySet<string>;
  readonly #paths: ReadonlyMap<string, readonly (readonly string[])[]>;

  /** Names hold at any depth; paths such as `connection.uri` or `*.uri` start at the line itself. */
  constructor(names: readonly string[], paths: readonly string[]) {
    this.#names = new Set(names);
    this.#paths = Map.groupBy(
      paths.map((path) => path.split('.')),
      (path) => path.at(-1) ?? '',
    );
  }

  /** Whether the field at a path, its own name last, is hidden. */
  hides(path: readonly string[]): boolean {
    const name = path.at(-1) ?? '';
    if (this.#names.has(name)) return true;
    const candidates = [...(this.#paths.get(name) ?? []), ...(this.#paths.get('*') ?? [])];
    return candidates.some((wanted) => isAt(path, wanted));
  }
}

function isAt(path: readonly string[], wanted: readonly string[]): boolean {
  return path.length === wanted.length && wanted.every((word, index) => word === '*' || word === path[index]);
}
