import { isJsonArray, isJsonObject, jsonField, type JsonObject, type JsonValue } from '@smalt/json';

/** The object in that field; an empty one if there is none. */
export function objectIn(object: JsonObject, name: string): JsonObject {
  const value = jsonField(object, name);
  return isJsonObject(value) ? value : {};
}

export function listIn(object: JsonObject, name: string): readonly JsonValue[] {
  const value = jsonField(object, name);
  return isJsonArray(value) ? value : [];
}

export function textIn(object: JsonObject, name: string): string | undefined {
  const value = jsonField(object, name);
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(object: JsonObject, name: string): number | undefined {
  const value = jsonField(object, name);
  return typeof value === 'number' ? value : undefined;
}

export function booleanIn(object: JsonObject, name: string): boolean | undefined {
  const value = jsonField(object, name);
  return typeof value === 'boolean' ? value : undefined;
}

/** All texts of an object, by name. */
export function textMapIn(object: JsonObject, name: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectIn(object, name));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
