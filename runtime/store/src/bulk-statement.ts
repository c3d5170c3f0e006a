import { checkText } from './check-text.ts';
import type { EngineKind, StoreValue } from './engine.ts';

/** What a column of rows holds: text, a whole number, or any number. */
export type BulkColumn = 'text' | 'integer' | 'number';

/** A statement over many rows at once, the same for both engines. */
export interface BulkStatement {
  readonly texts: Readonly<Record<EngineKind, string>>;
  readonly width: number;
}

export type BulkRow = readonly StoreValue[];

const POSTGRES_TYPES: Readonly<Record<BulkColumn, string>> = {
  text: 'text',
  integer: 'bigint',
  number: 'double precision',
};

/**
 * Makes a statement of a text in which the rows stand as a table called `incoming`:
 * ``bulkStatement({ name: 'text' }, (incoming) => `DELETE FROM host WHERE name IN (SELECT name FROM ${incoming})`)``.
 */
export function bulkStatement(
  columns: Readonly<Record<string, BulkColumn>>,
  textOf: (incoming: string) => string,
): BulkStatement {
  const names = Object.keys(columns);
  const arrays = Object.values(columns).map((column, index) => `$${index + 1}::${POSTGRES_TYPES[column]}[]`);
  const fields = names.map((name, index) => `value ->> ${index} AS ${name}`);
  return {
    width: names.length,
    texts: {
      postgres: textOf(`unnest(${arrays.join(', ')}) AS incoming (${names.join(', ')})`),
      sqlite: textOf(`(SELECT ${fields.join(', ')} FROM json_each(?)) AS incoming`),
    },
  };
}

/** The values that carry the rows. */
export function bulkValues(kind: EngineKind, statement: BulkStatement, rows: readonly BulkRow[]): readonly unknown[] {
  for (const row of rows) for (const value of row) checkText(value);
  switch (kind) {
    case 'sqlite':
      return [JSON.stringify(rows)];
    case 'postgres':
      return Array.from({ length: statement.width }, (_, index) => rows.map((row) => row[index] ?? null));
  }
}
