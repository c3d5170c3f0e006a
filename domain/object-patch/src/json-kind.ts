import type { JsonValue } from '@smalt/json';

/** A JSON object that is still being made. */
export interface MutableObject {
  [name: string]: JsonValue;
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The field of that name, and nothing that the object inherits. */
export function fieldOf(object: Readonly<Record<string, JsonValue>>, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
