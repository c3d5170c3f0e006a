import type { CellChange } from './row-changes.ts';

/** Puts changes together until somebody reads them: of each row only where it began and where it is now. */
export class ChangeBacklog {
  readonly #changes = new Map<string, CellChange>();

  add(changes: readonly CellChange[]): void {
    for (const change of changes) {
      const key = `${change.table}/${change.uuid}`;
      const earlier = this.#changes.get(key);
      const before = earlier === undefined ? change.before : earlier.before;
      if (before === change.after) this.#changes.delete(key);
      else this.#changes.set(key, { ...change, before });
    }
  }

  take(): readonly CellChange[] {
    const changes = [...this.#changes.values()];
    this.#changes.clear();
    return changes;
  }
}
