import { isDeeperThan, isJsonArray, isJsonObject, jsonField, parseJson, type JsonObject } from '@smalt/json';

import { BmcError } from '../bmc-error.ts';

const DEEPEST = 64;

/** The object that a body holds; undefined for an empty one. Anything else is a `bad-answer`. */
export function parseDocument(text: string, what: string): JsonObject | undefined {
  if (text.trim() === '') return undefined;
  if (isDeeperThan(text, DEEPEST)) throw new BmcError('bad-answer', `${what}: JSON nested too deep`);
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new BmcError('bad-answer', `${what}: the answer is not JSON`, { cause: error });
  }
  throw new BmcError('bad-answer', `${what}: the answer is not a JSON object`);
}

export function textAt(object: JsonObject | undefined, name: string): string | undefined {
  const value = object === undefined ? undefined : jsonField(object, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function objectAt(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = object === undefined ? undefined : jsonField(object, name);
  return isJsonObject(value) ? value : undefined;
}

export function objectsAt(object: JsonObject | undefined, name: string): readonly JsonObject[] {
  const value = object === undefined ? undefined : jsonField(object, name);
  return isJsonArray(value) ? value.filter((each) => isJsonObject(each)) : [];
}

/** The address that `{"Systems": {"@odata.id": "…"}}` refers to. */
export function linkAt(object: JsonObject | undefined, name: string): string | undefined {
  return textAt(objectAt(object, name), '@odata.id');
}
