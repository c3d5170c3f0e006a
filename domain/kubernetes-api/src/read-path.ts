import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

/** The value at a path of names; undefined where there is none. */
export function valueAt(object: JsonObject, ...path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** The text at a path; empty where there is none. */
export function textAt(object: JsonObject, ...path: readonly string[]): string {
  const value = valueAt(object, ...path);
  return typeof value === 'string' ? value : '';
}

/** The number at a path; 0 where there is none. */
export function numberAt(object: JsonObject, ...path: readonly string[]): number {
  const value = valueAt(object, ...path);
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}

export function isTrueAt(object: JsonObject, ...path: readonly string[]): boolean {
  return valueAt(object, ...path) === true;
}

/** The object at a path; an empty one where there is none. */
export function objectAt(object: JsonObject, ...path: readonly string[]): JsonObject {
  const value = valueAt(object, ...path);
  return isJsonObject(value) ? value : {};
}

/** The objects in the list at a path. */
export function itemsAt(object: JsonObject, ...path: readonly string[]): readonly JsonObject[] {
  const value = valueAt(object, ...path);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The texts in the list at a path. */
export function textsAt(object: JsonObject, ...path: readonly string[]): readonly string[] {
  const value = valueAt(object, ...path);
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** Whether there is anything but null at a path. */
export function isGivenAt(object: JsonObject, ...path: readonly string[]): boolean {
  const value = valueAt(object, ...path);
  return value !== undefined && value !== null;
}

/** The text of a scalar; empty for anything else. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : '';
}
