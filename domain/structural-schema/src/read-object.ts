import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

/** The object behind a name, or an empty one. */
export function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

/** The objects of the list behind a name. */
export function objectsAt(object: JsonObject, name: string): readonly JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The text behind a name, or an empty one. */
export function textAt(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : '';
}

/** The texts of the list behind a name. */
export function textsAt(object: JsonObject, name: string): readonly string[] {
  const value: JsonValue | undefined = object[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
