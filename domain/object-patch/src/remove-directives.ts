import { isJsonArray, isJsonObject, type JsonValue } from '@smalt/json';

import { type MutableObject } from './mutable-object.ts';

export const DIRECTIVE = '$patch';

/** A part of a patch that meets nothing in the live object, as it is stored: without nulls and without directives. */
export function removeDirectives(value: JsonValue): JsonValue | undefined {
  if (isJsonArray(value)) return value.map(removeDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, DIRECTIVE)) return undefined;
  return withoutNulls(value, removeDirectives);
}

/** A value without the fields that are null. */
export function removeNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(removeNulls);
  return isJsonObject(value) ? withoutNulls(value, removeNulls) : value;
}

function withoutNulls(
  object: Readonly<Record<string, JsonValue>>,
  map: (value: JsonValue) => JsonValue | undefined,
): MutableObject {
  const result: MutableObject = {};
  for (const [name, field] of Object.entries(object)) {
    const kept = field === null ? undefined : map(field);
    if (kept !== undefined) result[name] = kept;
  }
  return result;
}
