import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

const NOTHING: JsonObject = Object.freeze({});

/** The object under a name, or an empty one. */
export function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : NOTHING;
}

/** The text under a name, or an empty one. */
export function textAt(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : '';
}

/** The list under a name, or an empty one. */
export function listAt(object: JsonObject, name: string): readonly JsonValue[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}

/** The texts of the list under a name; anything else in it is left out. */
export function textsAt(object: JsonObject, name: string): readonly string[] {
  const value = object[name];
  if (!Array.isArray(value)) return [];
  const items: readonly unknown[] = value;
  return items.filter((item) => typeof item === 'string');
}

/** The objects of the list under a name; anything else in it is left out. */
export function objectsAt(object: JsonObject, name: string): readonly JsonObject[] {
  return listAt(object, name).filter((item) => isJsonObject(item));
}

/** The names and texts of the object under a name, such as labels. */
export function textMapAt(object: JsonObject, name: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectAt(object, name));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
