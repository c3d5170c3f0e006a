import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

import type { FieldSet } from './field-set.ts';
import { FieldSetBuilder } from './field-set-builder.ts';
import type { FieldType, ListType, MapType } from './field-type.ts';
import { itemElement } from './item-element.ts';
import { isEmptyObject } from './json-kind.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { listIn, mapIn, shapeOf } from './shape-of.ts';

interface Walk {
  readonly set: FieldSetBuilder;
  /** Where the walk stands; it grows and shrinks with the walk. */
  readonly path: PathElement[];
}

/** The fields that someone owns who applies this object: its leaves, and the items of its lists and maps. */
export function ownedFields(object: JsonObject, type: FieldType): FieldSet {
  const walk: Walk = { set: new FieldSetBuilder(), path: [] };
  visit(object, type, walk);
  return walk.set.build();
}

function visit(value: JsonValue, type: FieldType, walk: Walk): void {
  switch (shapeOf(type, value)) {
    case 'scalar':
      insert(walk);
      return;
    case 'list':
      if (type.list !== undefined) visitList(value, type.list, walk);
      return;
    case 'map':
      if (type.map !== undefined) visitMap(value, type.map, walk);
  }
}

function insert({ set, path }: Walk): void {
  if (path.length > 0) set.insert(path);
}

function visitMap(value: JsonValue, type: MapType, walk: Walk): void {
  if (type.isAtomic) {
    insert(walk);
    return;
  }
  const map = mapIn(value);
  for (const name in map) {
    const field = map[name] ?? null;
    walk.path.push(fieldElement(name));
    const fieldType = type.field(name);
    if (fieldType !== undefined) visit(field, fieldType, walk);
    const isEmpty = field === null || (isJsonObject(field) && isEmptyObject(field));
    if (isEmpty || type.declared(name) === undefined) insert(walk);
    walk.path.pop();
  }
}

function visitList(value: JsonValue, type: ListType, walk: Walk): void {
  if (type.isAtomic) {
    insert(walk);
    return;
  }
  const items = listIn(value) ?? [];
  const elements = items.map((item) => itemElement(type, item));
  const duplicates = duplicatesIn(elements);
  for (const [at, element] of elements.entries()) {
    walk.path.push(element);
    if (!duplicates.has(element)) visit(items[at] ?? null, type.item, walk);
    insert(walk);
    walk.path.pop();
  }
}

function duplicatesIn(elements: readonly PathElement[]): ReadonlySet<PathElement> {
  const seen = new Set<PathElement>();
  const duplicates = new Set<PathElement>();
  for (const element of elements) (seen.has(element) ? duplicates : seen).add(element);
  return duplicates;
}
