import { isJsonArray, isJsonObject, jsonField, type JsonObject, type JsonValue } from '@smalt/json';

import { goTypeName } from './go-type-name.ts';
import { type MutableObject } from './mutable-object.ts';
import { ObjectPatchError } from './object-patch-error.ts';

/** Applies a JSON merge patch (RFC 7386). Parts that the patch does not name are shared with the result. */
export function applyMergePatch(object: JsonObject, patch: JsonValue): JsonObject {
  if (patch === null) throw new ObjectPatchError('malformed', 'Invalid JSON Patch');
  if (!isJsonObject(patch)) {
    const detail = `json: cannot unmarshal ${goTypeName(patch)} into Go value of type map[string]interface {}`;
    throw new ObjectPatchError('malformed', `error decoding patch: ${detail}`);
  }
  return mergeObjects(object, patch);
}

function mergeObjects(object: JsonObject, patch: JsonObject): JsonObject {
  const result: MutableObject = { ...object };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergeValue(jsonField(object, name), value);
  }
  return result;
}

function mergeValue(current: JsonValue | undefined, patch: JsonValue): JsonValue {
  // Kubernetes drops nulls even within the lists of a patch, but not when a list takes the place of an object.
  if (!isJsonObject(current)) return withoutNullFields(patch);
  return isJsonObject(patch) ? mergeObjects(current, patch) : patch;
}

function withoutNullFields(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNullFields);
  if (!isJsonObject(value)) return value;
  const result: MutableObject = {};
  for (const [name, field] of Object.entries(value)) {
    if (field !== null) result[name] = withoutNullFields(field);
  }
  return result;
}
