import { type Cell, columnCodec, type ColumnCodec } from '../values/column-codec.ts';
import type { TableKinds } from '../values/column-kind.ts';
import { columnShape, fitsType } from '../values/column-shape.ts';
import type { OvsdbSchema } from '../values/ovsdb-schema.ts';

/** How the rows of a table are read. */
export interface TablePlan {
  /** What the server is asked for, and how it is read. */
  readonly columns: ReadonlyMap<string, ColumnCodec>;
  /** A row of which the server says nothing, columns that it does not have included. */
  readonly defaults: Readonly<Record<string, Cell>>;
}

/** How a database is read, as far as its server has what is wanted. */
export interface DatabasePlan {
  /** Those tables that the server has. */
  readonly tables: ReadonlyMap<string, TablePlan>;
  /** What it lacks, or keeps as another type, as `Table` or `Table.column`. */
  readonly missing: readonly string[];
}

/** Decides what to ask a server of that schema for. */
export function planTables(tables: TableKinds, schema: OvsdbSchema): DatabasePlan {
  const plans = new Map<string, TablePlan>();
  const missing: string[] = [];
  for (const [table, kinds] of Object.entries(tables)) {
    const types = schema.tables.get(table);
    if (types === undefined) {
      missing.push(table);
      continue;
    }
    const columns = new Map<string, ColumnCodec>();
    const defaults: Record<string, Cell> = {};
    for (const [column, kind] of Object.entries(kinds)) {
      const shape = columnShape(kind);
      const type = column === '_uuid' ? undefined : types.get(column);
      const isThere = type !== undefined && fitsType(shape, type);
      const emptyType = { key: shape.key, value: undefined, min: 0, max: Infinity } as const;
      const codec = columnCodec(shape, isThere ? type : emptyType);
      if (isThere) columns.set(column, codec);
      else missing.push(`${table}.${column}`);
      defaults[column] = codec.default;
    }
    plans.set(table, { columns, defaults });
  }
  return { tables: plans, missing };
}
