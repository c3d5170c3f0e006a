import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

export type Change = (object: JsonObject) => JsonObject;

/** The object with those fields added that it does not have, or has as null. The same object when it has them all. */
export function fillIn(object: JsonObject, defaults: JsonObject): JsonObject {
  const missing = Object.entries(defaults).filter(([name]) => isMissing(object, name));
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) };
}

/** The object with one field changed to another value. The same object when the value is the same. */
export function withField(object: JsonObject, name: string, value: JsonValue): JsonObject {
  return object[name] === value ? object : { ...object, [name]: value };
}

export function withoutField(object: JsonObject, name: string): JsonObject {
  if (!Object.hasOwn(object, name)) return object;
  const { [name]: _dropped, ...rest } = object;
  return rest;
}

/** The object with the object under a name changed, if there is one. */
export function withChild(object: JsonObject, name: string, ...changes: readonly Change[]): JsonObject {
  const child = Object.hasOwn(object, name) ? object[name] : undefined;
  if (!isJsonObject(child)) return object;
  return withField(
    object,
    name,
    changes.reduce((result, change) => change(result), child),
  );
}

/** The object with each object in the list under a name changed, if there is one. */
export function withItems(object: JsonObject, name: string, ...changes: readonly Change[]): JsonObject {
  const list = Object.hasOwn(object, name) ? object[name] : undefined;
  if (!Array.isArray(list)) return object;
  let isChanged = false;
  const items = list.map((item: JsonValue) => {
    const changed = isJsonObject(item) ? changes.reduce((result, change) => change(result), item) : item;
    if (changed !== item) isChanged = true;
    return changed;
  });
  return isChanged ? { ...object, [name]: items } : object;
}

export function isMissing(object: JsonObject, name: string): boolean {
  return !Object.hasOwn(object, name) || object[name] === null || object[name] === undefined;
}
