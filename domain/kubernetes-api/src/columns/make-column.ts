import type { JsonObject } from '@smalt/json';
import type { Column } from '@smalt/resource';

type Cell = (object: JsonObject, now: Date) => string | number | boolean | null;

/** A column of text that is always shown. */
export function column(name: string, description: string, cell: Cell): Column {
  return { name, type: 'string', description, priority: 0, cell };
}

/** A column of text for `-o wide`. */
export function wideColumn(name: string, description: string, cell: Cell): Column {
  return { name, type: 'string', description, priority: 1, cell };
}

export function integerColumn(name: string, description: string, cell: (object: JsonObject) => number): Column {
  return { name, type: 'integer', description, priority: 0, cell };
}

export function booleanColumn(name: string, description: string, cell: (object: JsonObject) => boolean): Column {
  return { name, type: 'boolean', description, priority: 0, cell };
}
