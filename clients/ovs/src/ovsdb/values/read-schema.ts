import { isJsonObject, jsonField, type JsonObject, type JsonValue } from '@smalt/json';

import { OvsError } from '../../ovs-error.ts';
import { shown } from './atom-codec.ts';
import type { AtomKind } from './column-kind.ts';
import type { ColumnType, OvsdbSchema } from './ovsdb-schema.ts';

const ATOM_KINDS: ReadonlyMap<string, AtomKind> = new Map([
  ['string', 'string'],
  ['integer', 'integer'],
  ['real', 'real'],
  ['boolean', 'boolean'],
  ['uuid', 'reference'],
]);

/** Reads what `get_schema` answers. */
export function readSchema(json: JsonValue): OvsdbSchema {
  const schema = objectOf(json, 'the schema');
  const name = jsonField(schema, 'name');
  const version = jsonField(schema, 'version');
  if (typeof name !== 'string') throw new OvsError('protocol', 'the schema has no name');
  const tables = fields(schema, 'tables', 'the schema').map(
    ([table, description]) => [table, readColumns(table, description)] as const,
  );
  return { name, version: typeof version === 'string' ? version : '', tables: new Map(tables) };
}

function readColumns(table: string, description: JsonValue): ReadonlyMap<string, ColumnType> {
  const columns = fields(objectOf(description, table), 'columns', table);
  return new Map(
    columns.map(([column, json]) => {
      const where = `${table}.${column}`;
      return [column, readType(jsonField(objectOf(json, where), 'type'), where)] as const;
    }),
  );
}

function readType(json: JsonValue | undefined, where: string): ColumnType {
  if (typeof json === 'string') return { key: readAtomKind(json, where), value: undefined, min: 1, max: 1 };
  const type = objectOf(json ?? null, where);
  const value = jsonField(type, 'value');
  const max = jsonField(type, 'max') ?? 1;
  if (max !== 'unlimited' && typeof max !== 'number') throw new OvsError('protocol', `${where}: max is ${shown(max)}`);
  return {
    key: readAtomKind(jsonField(type, 'key'), where),
    value: value === undefined ? undefined : readAtomKind(value, where),
    min: jsonField(type, 'min') === 0 ? 0 : 1,
    max: max === 'unlimited' ? Infinity : max,
  };
}

function readAtomKind(json: JsonValue | undefined, where: string): AtomKind {
  const name = isJsonObject(json) ? jsonField(json, 'type') : json;
  const kind = typeof name === 'string' ? ATOM_KINDS.get(name) : undefined;
  if (kind !== undefined) return kind;
  throw new OvsError('protocol', `the schema gives ${where} the type ${shown(name ?? null)}`);
}

function fields(object: JsonObject, name: string, where: string): readonly (readonly [string, JsonValue])[] {
  return Object.entries(objectOf(jsonField(object, name) ?? null, `${name} of ${where}`));
}

function objectOf(json: JsonValue, what: string): JsonObject {
  if (isJsonObject(json)) return json;
  throw new OvsError('protocol', `${what} is no object but ${shown(json)}`);
}
