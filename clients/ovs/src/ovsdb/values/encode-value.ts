import type { JsonObject, JsonValue } from '@smalt/json';

import { OvsError } from '../../ovs-error.ts';
import type {
  OvsdbAtom,
  OvsdbCondition,
  OvsdbMutation,
  OvsdbOperation,
  OvsdbRowValues,
  OvsdbValue,
} from './operation.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** An operation as OVSDB reads it. */
export function encodeOperation(operation: OvsdbOperation): JsonObject {
  switch (operation.op) {
    case 'insert': {
      const { op, table, row, uuidName } = operation;
      return { op, table, row: encodeRow(row), ...(uuidName === undefined ? {} : { 'uuid-name': uuidName }) };
    }
    case 'select': {
      const { op, table, where, columns } = operation;
      return { op, table, where: encodeConditions(where), ...(columns === undefined ? {} : { columns }) };
    }
    case 'update': {
      const { op, table, where, row } = operation;
      return { op, table, where: encodeConditions(where), row: encodeRow(row) };
    }
    case 'mutate': {
      const { op, table, where, mutations } = operation;
      return { op, table, where: encodeConditions(where), mutations: encodeConditions(mutations) };
    }
    case 'delete': {
      const { op, table, where } = operation;
      return { op, table, where: encodeConditions(where) };
    }
    case 'wait': {
      const { op, table, where, columns, until, rows } = operation;
      return { op, timeout: 0, table, where: encodeConditions(where), columns, until, rows: rows.map(encodeRow) };
    }
    case 'comment':
      return { op: operation.op, comment: operation.comment };
  }
}

/** Conditions, or mutations, which look the same. */
export function encodeConditions(conditions: readonly (OvsdbCondition | OvsdbMutation)[]): JsonValue {
  return conditions.map(([column, comparison, value]) => [column, comparison, encodeValue(value)]);
}

function encodeRow(row: OvsdbRowValues): JsonObject {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, encodeValue(value)]));
}

function encodeValue(value: OvsdbValue): JsonValue {
  if (isSet(value)) return ['set', [...value].map(encodeAtom)];
  if (isMap(value)) return ['map', [...value].map(([key, item]) => [encodeAtom(key), encodeAtom(item)])];
  return encodeAtom(value);
}

function encodeAtom(atom: OvsdbAtom): JsonValue {
  if (typeof atom !== 'object') return checked(atom);
  if (atom.kind === 'named-uuid') return ['named-uuid', atom.name];
  if (UUID.test(atom.uuid)) return ['uuid', atom.uuid];
  throw new OvsError('invalid-argument', `${JSON.stringify(atom.uuid)} is no uuid`);
}

function checked(atom: string | number | bigint | boolean): JsonValue {
  if (typeof atom === 'number' && !Number.isFinite(atom)) {
    throw new OvsError('invalid-argument', `${atom} cannot be written to a database`);
  }
  return atom;
}

function isSet(value: OvsdbValue): value is ReadonlySet<OvsdbAtom> {
  return value instanceof Set;
}

function isMap(value: OvsdbValue): value is ReadonlyMap<OvsdbAtom, OvsdbAtom> {
  return value instanceof Map;
}
