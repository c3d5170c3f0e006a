import type { AtomKind } from './column-kind.ts';

/** What a column may hold: `value` is there for maps only. */
export interface ColumnType {
  readonly key: AtomKind;
  readonly value: AtomKind | undefined;
  readonly min: 0 | 1;
  readonly max: number;
}

/** The schema of a database, as far as values depend on it. */
export interface OvsdbSchema {
  readonly name: string;
  readonly version: string;
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, ColumnType>>;
}
