import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

/** Whether two values say the same; the order of names does not matter. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left)) return isJsonArray(right) && sameItems(left, right);
  if (isJsonObject(left) && isJsonObject(right)) return sameFields(left, right);
  return false;
}

function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function sameItems(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
}

function sameFields(left: JsonObject, right: JsonObject): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]));
}
