import { isJsonArray, jsonField, type JsonObject } from '@smalt/json';

import { type MutableObject } from './mutable-object.ts';
import { ObjectPatchError } from './object-patch-error.ts';

export const RETAIN_KEYS = '$retainKeys';

/** A copy of the object without the fields that the patch's `$retainKeys` leaves out. */
export function retainKeys(object: JsonObject, patch: JsonObject): MutableObject {
  const list = jsonField(patch, RETAIN_KEYS);
  if (list === undefined) return { ...object };
  if (!isJsonArray(list)) throw badRetainKeys();
  const kept = new Set(list);
  for (const [name, value] of Object.entries(patch)) {
    const isDirective = name === RETAIN_KEYS || /^\$(?:deleteFromPrimitiveList|setElementOrder)/.test(name);
    if (value !== null && !isDirective && !kept.has(name)) throw badRetainKeys();
  }
  return Object.fromEntries(Object.entries(object).filter(([name]) => kept.has(name)));
}

function badRetainKeys(): ObjectPatchError {
  return new ObjectPatchError('malformed', 'invalid patch format of retainKeys');
}
