import type { OvsdbChange, RowChange } from '@smalt/ovs';

import type { SwitchTables } from '../../observe/switch-tables.ts';

const MOST_KEPT = 256;

/** One change of the switch's configuration or state, in a few words. */
export interface RecentChange {
  readonly at: string;
  readonly kind: 'inserted' | 'modified' | 'deleted';
  readonly table: string;
  readonly name: string;
  /** What has changed, for `modified`: the column, and its new value. */
  readonly columns: Readonly<Record<string, unknown>>;
}

/** The last changes of the database, so that who looks for a fault sees what happened just before. */
export class RecentChanges {
  readonly #changes: RecentChange[] = [];

  add({ rows }: Pick<OvsdbChange<SwitchTables>, 'rows'>, at: Date): void {
    // At the start everything is new, and that says nothing.
    const news = rows.length > MOST_KEPT ? rows.slice(-MOST_KEPT) : rows;
    for (const change of news) this.#changes.push(describeChange(change, at));
    if (this.#changes.length > MOST_KEPT) this.#changes.splice(0, this.#changes.length - MOST_KEPT);
  }

  /** The changes of rows of this name, the latest last; of all rows without one. */
  of(name?: string): readonly RecentChange[] {
    return name === undefined ? [...this.#changes] : this.#changes.filter((change) => change.name === name);
  }
}

function describeChange(change: RowChange<SwitchTables>, at: Date): RecentChange {
  const about: Readonly<Record<string, unknown>> = change.kind === 'deleted' ? change.old : change.row;
  const before: Readonly<Record<string, unknown>> = change.kind === 'modified' ? change.old : {};
  const columns = change.kind === 'modified' ? changedColumns(before, about) : {};
  const { name: named, target } = about;
  const name = [named, target].find((each) => typeof each === 'string') ?? change.table;
  return { at: at.toISOString(), kind: change.kind, table: change.table, name, columns };
}

/** Columns whose values were made anew may still be equal; the cache keeps the very values that did not change. */
function changedColumns(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(after).filter(([column, value]) => value !== before[column]));
}
