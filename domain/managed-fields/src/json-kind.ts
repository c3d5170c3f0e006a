import type { JsonObject, JsonValue } from '@smalt/json';

/** A JSON object that is still being made. */
export interface MutableObject {
  [name: string]: JsonValue;
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isScalar(value: JsonValue | undefined): value is boolean | number | bigint | string {
  return value !== null && value !== undefined && typeof value !== 'object';
}

/** The field of that name, and nothing that the object inherits. */
export function fieldOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Whether an object has no fields; cheaper than counting them. */
export function isEmptyObject(object: object): boolean {
  for (const _name in object) return false;
  return true;
}
