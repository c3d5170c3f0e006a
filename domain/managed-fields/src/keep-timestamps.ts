import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

import { jsonEquals } from './json-equals.ts';
import { isList } from './json-kind.ts';
import { managedFieldsOf, withManagedFields, withoutManagedFields } from './object-metadata.ts';

/**
 * The object to store after admission: when all that changed is the times of managed fields, the live times are kept, so
 * that a write without effect stores nothing.
 */
export function keepTimestamps(live: JsonObject, updated: JsonObject): JsonObject {
  const before = managedFieldsOf(live);
  const after = managedFieldsOf(updated);
  if (!isList(before) || !isList(after) || before.length !== after.length || before.length === 0) return updated;
  if (!before.every((entry, at) => jsonEquals(withoutTime(entry), withoutTime(after[at])))) return updated;
  if (!jsonEquals(withoutManagedFields(live), withoutManagedFields(updated))) return updated;
  return withManagedFields(updated, before);
}

function withoutTime(entry: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(entry)) return entry;
  const { time: _time, ...rest } = entry;
  return rest;
}
