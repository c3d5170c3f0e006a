import { isJsonObject, type JsonValue } from '@smalt/json';

import { isList } from './json-kind.ts';

/** Whether two values are the same JSON, whatever the order of the fields of their objects. */
export function jsonEquals(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isList(left)) {
    if (!isList(right) || left.length !== right.length) return false;
    for (let at = 0; at < left.length; at++) {
      if (!jsonEquals(left[at], right[at])) return false;
    }
    return true;
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  let count = 0;
  for (const name in left) {
    if (!Object.hasOwn(right, name) || !jsonEquals(left[name], right[name])) return false;
    count++;
  }
  for (const _name in right) count--;
  return count === 0;
}
