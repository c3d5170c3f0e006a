import { isJsonObject, type JsonValue } from '@smalt/json';

import { isList } from './json-kind.ts';

/** Whether two values are the same JSON, whatever the order of the fields of their objects. */
export function jsonEquals(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (isList(left)) {
    return (
      isList(right) && left.length === right.length && left.every((item, at) => jsonEquals(item, right[at] ?? null))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && jsonEquals(left[name] ?? null, right[name] ?? null));
}
