import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

import { type FieldSet, hasMember, isEmptySet, subsetOf } from './field-set.ts';
import type { FieldType, ListType, MapType } from './field-type.ts';
import { itemElement } from './item-element.ts';
import { type MutableObject } from './json-kind.ts';
import { fieldElement } from './path-element.ts';
import { listIn, mapIn, shapeOf } from './shape-of.ts';

/** An object without the fields and list items of a set. */
export function removeFields(object: JsonObject, fields: FieldSet, type: FieldType): JsonObject {
  if (isEmptySet(fields)) return object;
  const result = removeFrom(object, fields, type);
  return isJsonObject(result) ? result : {};
}

/** Null when nothing is left. */
function removeFrom(value: JsonValue, fields: FieldSet, type: FieldType): JsonValue {
  switch (shapeOf(type, value)) {
    case 'scalar':
      return value;
    case 'list':
      return type.list === undefined ? null : removeFromList(value, fields, type.list);
    case 'map':
      return type.map === undefined ? null : removeFromMap(value, fields, type.map);
  }
}

function removeFromList(value: JsonValue, fields: FieldSet, type: ListType): JsonValue {
  if (type.isAtomic) return null;
  const result: JsonValue[] = [];
  for (const item of listIn(value) ?? []) {
    const element = itemElement(type, item);
    if (hasMember(fields, element)) continue;
    const subset = subsetOf(fields, element);
    result.push(isEmptySet(subset) ? item : removeFrom(item, subset, type.item));
  }
  return result.length > 0 ? result : null;
}

function removeFromMap(value: JsonValue, fields: FieldSet, type: MapType): JsonValue {
  if (type.isAtomic) return null;
  const result: MutableObject = {};
  let isEmpty = true;
  const map = mapIn(value);
  for (const name in map) {
    const element = fieldElement(name);
    if (hasMember(fields, element)) continue;
    const field = map[name] ?? null;
    const subset = subsetOf(fields, element);
    const fieldType = type.field(name);
    result[name] = isEmptySet(subset) || fieldType === undefined ? field : removeFrom(field, subset, fieldType);
    isEmpty = false;
  }
  return isEmpty ? null : result;
}
