import { isJsonArray, isJsonObject, isSameJson, type JsonObject, type JsonValue } from '@smalt/json';

import { managedFieldsOf, withManagedFields, withoutManagedFields } from './object-metadata.ts';

/**
 * The object to store after admission: when all that changed is the times of managed fields, the live times are kept, so
 * that a write without effect stores nothing.
 */
export function keepTimestamps(live: JsonObject, updated: JsonObject): JsonObject {
  const before = managedFieldsOf(live);
  const after = managedFieldsOf(updated);
  if (!isJsonArray(before) || !isJsonArray(after) || before.length !== after.length || before.length === 0)
    return updated;
  if (!before.every((entry, at) => isSameJson(withoutTime(entry), withoutTime(after[at])))) return updated;
  if (!isSameJson(withoutManagedFields(live), withoutManagedFields(updated))) return updated;
  return withManagedFields(updated, before);
}

function withoutTime(entry: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(entry)) return entry;
  const { time: _time, ...rest } = entry;
  return rest;
}
