import { isJsonArray, isJsonObject, type JsonValue } from '@smalt/json';

/** Orders any two JSON values: numbers, strings, booleans, lists, objects, null. */
export function compareValues(left: JsonValue, right: JsonValue): number {
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0) return rank;
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (isJsonArray(left) && isJsonArray(right)) return compareLists(left, right);
  if (isJsonObject(left) && isJsonObject(right)) return compareObjects(left, right);
  if (left === null || right === null || left === right) return 0;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Orders text by its UTF-8 bytes, as Go does; this language orders by UTF-16 units. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const leftUnit = left.charCodeAt(at);
    const rightUnit = right.charCodeAt(at);
    if (leftUnit === rightUnit) continue;
    // Surrogates stand for characters beyond all others that a single unit can hold.
    const difference = Number(isSurrogate(leftUnit)) - Number(isSurrogate(rightUnit));
    return difference !== 0 ? difference : leftUnit - rightUnit;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdf_ff;
}

function rankOf(value: JsonValue): number {
  if (value === null) return 5;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (typeof value !== 'object') return 0;
  return isJsonArray(value) ? 3 : 4;
}

function compareLists(left: readonly JsonValue[], right: readonly JsonValue[]): number {
  for (const [at, item] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const order = compareValues(item, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareObjects(left: Readonly<Record<string, JsonValue>>, right: Readonly<Record<string, JsonValue>>): number {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted(compareText);
  for (const name of names) {
    if (!Object.hasOwn(left, name)) return 1;
    if (!Object.hasOwn(right, name)) return -1;
    const order = compareValues(left[name] ?? null, right[name] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}
