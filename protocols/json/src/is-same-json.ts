import { isJsonArray, isJsonObject, type JsonValue } from './json-value.ts';

/** Whether two values say the same; the order of fields does not matter. */
// Plain loops: this runs over every object on every write.
export function isSameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left)) return isJsonArray(right) && hasSameItems(left, right);
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  let count = 0;
  for (const name in left) {
    if (!Object.hasOwn(right, name) || !isSameJson(left[name], right[name])) return false;
    count++;
  }
  for (const _name in right) count--;
  return count === 0;
}

function hasSameItems(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) {
    if (!isSameJson(left[index], right[index])) return false;
  }
  return true;
}
