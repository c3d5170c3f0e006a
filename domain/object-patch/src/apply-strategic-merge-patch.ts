import { isJsonArray, isJsonObject, jsonField, type JsonObject, type JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';

import { goTypeName } from './go-type-name.ts';
import { type MutableObject } from './mutable-object.ts';
import { mergeList } from './merge-list.ts';
import { ObjectPatchError } from './object-patch-error.ts';
import { lookUpList, lookUpObject } from './patch-metadata.ts';
import { printGoValue } from './print-go-value.ts';
import { DIRECTIVE, removeDirectives, removeNulls } from './remove-directives.ts';
import { retainKeys, RETAIN_KEYS } from './retain-keys.ts';
import { SET_ELEMENT_ORDER, setElementOrders } from './set-element-order.ts';

const DELETE_FROM_LIST = '$deleteFromPrimitiveList';

/**
 * Applies a strategic merge patch: objects are merged, lists as the schema's patch strategy says, null deletes, and the
 * directives `$patch`, `$retainKeys`, `$setElementOrder/…` and `$deleteFromPrimitiveList/…` are obeyed.
 */
export function applyStrategicMergePatch(object: JsonObject, patch: JsonValue, schema: Schema): JsonObject {
  if (patch === null) return object;
  if (!isJsonObject(patch)) {
    const detail = `json: cannot unmarshal ${goTypeName(patch)} into Go value of type map[string]interface {}`;
    throw new ObjectPatchError('malformed', detail);
  }
  return mergeObject(object, patch, schema);
}

/** Merges a patch into an object, or into an item of a list. */
function mergeObject(object: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  if (Object.hasOwn(patch, DIRECTIVE)) return obeyDirective(patch);

  const result: MutableObject = retainKeys(object, patch);
  const rest = setElementOrders({ result, patch, schema, mergeObject });
  for (const [name, value] of Object.entries(rest)) mergeField(result, name, value, schema);
  return result;
}

function obeyDirective(patch: JsonObject): JsonObject {
  const { [DIRECTIVE]: directive, ...rest } = patch;
  if (directive === 'delete') return {};
  if (directive !== 'replace') {
    const text = `unknown patch type: ${printGoValue(directive ?? null)} in map: ${printGoValue(patch)}`;
    throw new ObjectPatchError('failed', text);
  }
  const replaced = removeNulls(rest);
  return isJsonObject(replaced) ? replaced : rest;
}

function mergeField(result: MutableObject, key: string, patch: JsonValue, schema: Schema): void {
  if (key === RETAIN_KEYS || key.startsWith(SET_ELEMENT_ORDER)) return;
  const isDeletion = key.startsWith(DELETE_FROM_LIST);
  const name = isDeletion ? deletionTarget(key) : key;
  if (patch === null) {
    delete result[name];
    return;
  }
  const current = jsonField(result, name);
  if (isJsonObject(current) && isJsonObject(patch)) {
    const metadata = lookUpObject(schema, name);
    result[name] = metadata.strategy === 'replace' ? removeNulls(patch) : mergeObject(current, patch, metadata.schema);
  } else if (isJsonArray(current) && isJsonArray(patch)) {
    result[name] = mergeList(current, patch, { ...lookUpList(schema, name), isDeletion, mergeObject });
  } else if (!isDeletion) {
    setOrDelete(result, name, removeDirectives(patch));
  }
}

function deletionTarget(key: string): string {
  if (!key.startsWith(`${DELETE_FROM_LIST}/`))
    throw new ObjectPatchError('malformed', 'invalid patch format of primitive list');
  return key.slice(DELETE_FROM_LIST.length + 1);
}

function setOrDelete(result: MutableObject, name: string, value: JsonValue | undefined): void {
  if (value === undefined) delete result[name];
  else result[name] = value;
}
