import { isJsonObject, jsonField, type JsonObject, type JsonValue } from '@smalt/json';

import { OvsError } from '../../ovs-error.ts';
import { shown } from '../values/atom-codec.ts';
import { type Cell, isSameCell } from '../values/column-codec.ts';
import type { DatabasePlan, TablePlan } from './table-plan.ts';

/** A row whose columns are only known at run time. It is frozen. */
export interface CellRow {
  readonly _uuid: string;
  readonly [column: string]: Cell;
}

/** The rows of each table by uuid. */
export type CellRows = ReadonlyMap<string, ReadonlyMap<string, CellRow>>;

/** What happens to one row: `before` is missing for a new one, `after` for one that goes. They are never equal. */
export interface CellChange {
  readonly table: string;
  readonly uuid: string;
  readonly before: CellRow | undefined;
  readonly after: CellRow | undefined;
}

/** How updates are written: `1` with old and new rows, `2` with differences, as `update2` and `update3` do. */
export type UpdateVersion = 1 | 2;

/** The updates of one message, as they came. */
export interface TableUpdates {
  readonly version: UpdateVersion;
  readonly updates: JsonValue;
}

/** What an update does to the rows. Nothing is done yet, so an update that makes no sense changes nothing. */
export function changesOfUpdate(rows: CellRows, plan: DatabasePlan, update: TableUpdates): readonly CellChange[] {
  const changes: CellChange[] = [];
  for (const [table, tableUpdates] of Object.entries(objectOf(update.updates, 'an update'))) {
    const tablePlan = plan.tables.get(table);
    if (tablePlan === undefined) throw new OvsError('protocol', `an update of ${table}, which nobody asked for`);
    const known = rows.get(table);
    for (const [uuid, rowUpdate] of Object.entries(objectOf(tableUpdates, `an update of ${table}`))) {
      const before = known?.get(uuid);
      const json = objectOf(rowUpdate, `an update of ${table} ${uuid}`);
      const after = located(table, () =>
        update.version === 1 ? nextRow1(uuid, before, tablePlan, json) : nextRow2(uuid, before, tablePlan, json),
      );
      if (before !== after) changes.push({ table, uuid, before, after });
    }
  }
  return changes;
}

/** What has changed when these are all the rows there are. */
export function changesOfDump(rows: CellRows, plan: DatabasePlan, update: TableUpdates): readonly CellChange[] {
  const dump = objectOf(update.updates, 'a dump');
  const changes = [...changesOfUpdate(rows, plan, update)];
  for (const [table, known] of rows) {
    const present = objectOf(jsonField(dump, table) ?? {}, `a dump of ${table}`);
    for (const [uuid, before] of known) {
      if (!Object.hasOwn(present, uuid)) changes.push({ table, uuid, before, after: undefined });
    }
  }
  return changes;
}

/** Reads a whole row, columns at their default left out. What equals the row before is kept, all of it if all does. */
export function readRow(uuid: string, before: CellRow | undefined, plan: TablePlan, json: JsonObject): CellRow {
  const cells: Record<string, Cell> = { ...plan.defaults };
  for (const [column, codec] of plan.columns) {
    const value = jsonField(json, column);
    if (value !== undefined) cells[column] = located(column, () => codec.decode(value));
  }
  return shareWith(uuid, before, cells);
}

function nextRow1(uuid: string, before: CellRow | undefined, plan: TablePlan, json: JsonObject): CellRow | undefined {
  const row = jsonField(json, 'new') ?? null;
  return row === null ? undefined : readRow(uuid, before, plan, objectOf(row, 'new'));
}

function nextRow2(uuid: string, before: CellRow | undefined, plan: TablePlan, json: JsonObject): CellRow | undefined {
  const [kind, ...others] = Object.keys(json);
  if (kind === undefined || others.length > 0) throw new OvsError('protocol', `${shown(json)} is no update of a row`);
  const value = jsonField(json, kind) ?? null;
  switch (kind) {
    case 'initial':
    case 'insert':
      return readRow(uuid, before, plan, objectOf(value, kind));
    case 'modify':
      return modifyRow(uuid, before, plan, objectOf(value, kind));
    case 'delete':
      return undefined;
    default:
      throw new OvsError('protocol', `${JSON.stringify(kind.slice(0, 80))} is nothing that can happen to a row`);
  }
}

function modifyRow(uuid: string, before: CellRow | undefined, plan: TablePlan, json: JsonObject): CellRow {
  if (before === undefined) throw new OvsError('protocol', `row ${uuid} is modified, but was never there`);
  const cells: Record<string, Cell> = { ...before };
  for (const [column, difference] of Object.entries(json)) {
    const codec = plan.columns.get(column);
    if (codec === undefined) throw new OvsError('protocol', `column ${column} is modified, but nobody asked for it`);
    cells[column] = located(column, () => codec.modify(before[column], difference));
  }
  return shareWith(uuid, before, cells);
}

function shareWith(uuid: string, before: CellRow | undefined, cells: Record<string, Cell>): CellRow {
  if (before === undefined) return Object.freeze({ ...cells, _uuid: uuid });
  let isChanged = false;
  for (const column of Object.keys(cells)) {
    if (column === '_uuid') continue;
    if (isSameCell(before[column], cells[column])) cells[column] = before[column];
    else isChanged = true;
  }
  return isChanged ? Object.freeze({ ...cells, _uuid: uuid }) : before;
}

function objectOf(json: JsonValue, what: string): JsonObject {
  if (isJsonObject(json)) return json;
  throw new OvsError('protocol', `${what} is no object but ${shown(json)}`);
}

function located<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OvsError('protocol', `${where}: ${why}`, { cause });
  }
}
