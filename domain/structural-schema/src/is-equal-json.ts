import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

/** Whether two values hold the same, in whatever order their fields stand. */
export function isEqualJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) return Array.isArray(right) && areEqualLists(left, right);
  if (isJsonObject(left)) return isJsonObject(right) && areEqualObjects(left, right);
  return false;
}

function areEqualLists(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  return left.length === right.length && left.every((item, index) => isEqualJson(item, right[index]));
}

function areEqualObjects(left: JsonObject, right: JsonObject): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && isEqualJson(left[name], right[name]));
}
