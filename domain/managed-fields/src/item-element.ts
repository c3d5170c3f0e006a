import { isJsonArray, isJsonObject, jsonField, type JsonValue } from '@smalt/json';

import type { ListType } from './field-type.ts';
import { type MutableObject } from './json-kind.ts';
import { ManagedFieldsError } from './managed-fields-error.ts';
import { keyElement, type PathElement, singleKeyElement, valueElement } from './path-element.ts';

/** The path element of an item in a list whose items have owners of their own. Throws when the item has no identity. */
export function itemElement(list: ListType, item: JsonValue): PathElement {
  return list.keys.length > 0 ? keyedItemElement(list, item) : setItemElement(item);
}

function keyedItemElement(list: ListType, item: JsonValue): PathElement {
  if (item === null) throw badItem('associative list with keys may not have a null element');
  if (!isJsonObject(item)) throw badItem('associative list with keys may not have non-map elements');
  const [onlyKey] = list.keys;
  if (onlyKey !== undefined && list.keys.length === 1) {
    const value = jsonField(item, onlyKey) ?? list.keyDefault(onlyKey);
    if (value !== undefined) return singleKeyElement(onlyKey, value);
  }
  const keys: MutableObject = {};
  let count = 0;
  for (const name of list.keys) {
    const value = jsonField(item, name) ?? list.keyDefault(name);
    if (value === undefined) continue;
    keys[name] = value;
    count++;
  }
  if (count === 0) {
    const names = `[${list.keys.map((name) => JSON.stringify(name)).join(' ')}]`;
    throw badItem(
      `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(keys);
}

function setItemElement(item: JsonValue): PathElement {
  if (item === null) throw badItem("associative list without keys has an element that's an explicit null");
  if (isJsonArray(item)) throw badItem('not supported: associative list with lists as elements');
  if (isJsonObject(item)) throw badItem("associative list without keys has an element that's a map type");
  return valueElement(item);
}

function badItem(message: string): ManagedFieldsError {
  return new ManagedFieldsError('failed', message);
}
