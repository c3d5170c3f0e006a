/**
 * A value in the shape of the wire, nothing unwrapped or renamed: a record of fields, a list, a scalar. A UUID is 32 hex
 * digits. Typed parameters are lists of `{ field, type, value }` with the number of the type, counters are lists of
 * `{ field, value }`, and bytes that take a word each are Uint8Arrays.
 */
export type WireValue = number | bigint | string | Uint8Array | undefined | readonly WireValue[] | WireRecord;

/** Fields by name. */
export interface WireRecord {
  readonly [field: string]: WireValue;
}

/** The value as a record of fields; throws when it is something else, as do the functions below. */
export function recordOf(value: WireValue): WireRecord {
  if (isRecord(value)) return value;
  throw notWanted('a record of fields', value);
}

export function listOf(value: WireValue): readonly WireValue[] {
  if (isList(value)) return value;
  throw notWanted('a list', value);
}

export function bytesOf(value: WireValue): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw notWanted('a Uint8Array', value);
}

export function textOf(value: WireValue): string {
  if (typeof value === 'string') return value;
  throw notWanted('a string', value);
}

export function numberOf(value: WireValue): number {
  if (typeof value === 'number') return value;
  throw notWanted('a number', value);
}

export function bigintOf(value: WireValue): bigint {
  if (typeof value === 'bigint') return value;
  throw notWanted('a bigint', value);
}

function isRecord(value: WireValue): value is WireRecord {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array);
}

function isList(value: WireValue): value is readonly WireValue[] {
  return Array.isArray(value);
}

function notWanted(wanted: string, value: WireValue): TypeError {
  return new TypeError(`${wanted} is wanted on the wire, not ${typeof value}`);
}
