import type { CellChange, CellRow, CellRows } from './row-changes.ts';

/** The rows as last known. Reading it while it changes is not possible: a commit is one step. */
export class RowCache {
  readonly #tables: ReadonlyMap<string, Map<string, CellRow>>;

  constructor(tables: readonly string[]) {
    this.#tables = new Map(tables.map((table) => [table, new Map<string, CellRow>()]));
  }

  get rows(): CellRows {
    return this.#tables;
  }

  commit(changes: readonly CellChange[]): void {
    for (const { table, uuid, after } of changes) {
      if (after === undefined) this.#tables.get(table)?.delete(uuid);
      else this.#tables.get(table)?.set(uuid, after);
    }
  }
}
