import type { JsonValue } from '@smalt/json';

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** What a value is in the words of a schema. */
export type JsonKind = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';

/** An integer is one that 64 bits hold; what is larger or has a fraction is a number. */
export function jsonKind(value: JsonValue): JsonKind {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'bigint') return value >= MIN_INT64 && value <= MAX_INT64 ? 'integer' : 'number';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : 'object';
}
