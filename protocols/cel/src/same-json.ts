import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

/** Whether two pieces of JSON mean the same; the order of fields does not matter. */
export function areSameJson(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => areSameJson(item, right[index]))
    );
  }
  if (isJsonObject(left)) return isJsonObject(right) && areSameObjects(left, right);
  return false;
}

function areSameObjects(left: JsonObject, right: JsonObject): boolean {
  const entries = Object.entries(left);
  return (
    entries.length === Object.keys(right).length &&
    entries.every(([name, value]) => Object.hasOwn(right, name) && areSameJson(value, right[name] ?? null))
  );
}
