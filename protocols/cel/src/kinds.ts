import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  optionalOf,
  parameter,
  STRING,
  TIMESTAMP,
  UINT,
  type CelType,
  type OpaqueType,
} from './cel-type.ts';
import {
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelOpaque,
  type CelValue,
} from './cel-value.ts';
import type { Kind } from './overload.ts';

export const A: CelType = parameter('A');
export const B: CelType = parameter('B');

export const text: Kind<string> = { type: STRING, is: (value) => typeof value === 'string' };
export const int: Kind<bigint> = { type: INT, is: (value) => typeof value === 'bigint' };
export const double: Kind<number> = { type: DOUBLE, is: (value) => typeof value === 'number' };
export const bool: Kind<boolean> = { type: BOOL, is: (value) => typeof value === 'boolean' };
export const uint: Kind<CelUint> = { type: UINT, is: (value) => value instanceof CelUint };
export const bytes: Kind<Uint8Array> = { type: BYTES, is: (value) => value instanceof Uint8Array };
export const duration: Kind<CelDuration> = { type: DURATION, is: (value) => value instanceof CelDuration };
export const timestamp: Kind<CelTimestamp> = { type: TIMESTAMP, is: (value) => value instanceof CelTimestamp };

/** Any value, of a type that is found out from the call. */
export function any(type: CelType = A): Kind<CelValue> {
  return { type, is: (value): value is CelValue => value !== undefined };
}

export function list(element: CelType = A): Kind<CelList> {
  return { type: listOf(element), is: (value) => value instanceof CelList };
}

export function map(key: CelType = A, value: CelType = B): Kind<CelMap> {
  return { type: mapOf(key, value), is: (candidate) => candidate instanceof CelMap };
}

export function optional(value: CelType = A): Kind<CelOptional> {
  return { type: optionalOf(value), is: (candidate) => candidate instanceof CelOptional };
}

/** The values of a class that a library brings. */
export function instance<Value extends CelOpaque>(
  type: OpaqueType,
  constructor: abstract new (...args: never[]) => Value,
): Kind<Value> {
  return { type, is: (value): value is Value => value instanceof constructor };
}
