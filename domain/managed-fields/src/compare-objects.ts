import { isSameJson, type JsonObject, type JsonValue } from '@smalt/json';

import type { FieldType, ListType, MapType } from './field-type.ts';
import type { FieldSet } from './field-set.ts';
import { FieldSetBuilder } from './field-set-builder.ts';
import { itemElement } from './item-element.ts';
import { isEmptyObject } from './json-kind.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { listIn, mapIn, shapeOf, type Shape } from './shape-of.ts';

/** The fields in which two objects differ. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

interface Builders {
  readonly added: FieldSetBuilder;
  readonly modified: FieldSetBuilder;
  readonly removed: FieldSetBuilder;
  /** Where the walk stands; it grows and shrinks with the walk. */
  readonly path: PathElement[];
}

type Side = JsonValue | undefined;

/** Compares two objects field by field as their type says. Undefined when they do not differ. */
export function compareObjects(left: JsonObject, right: JsonObject, type: FieldType): Comparison | undefined {
  const builders: Builders = {
    added: new FieldSetBuilder(),
    modified: new FieldSetBuilder(),
    removed: new FieldSetBuilder(),
    path: [],
  };
  compareSides(left, right, type, builders);
  const { added, modified, removed } = builders;
  if (added.isEmpty && modified.isEmpty && removed.isEmpty) return undefined;
  return { added: added.build(), modified: modified.build(), removed: removed.build() };
}

function compareSides(left: Side, right: Side, type: FieldType | undefined, to: Builders): void {
  // Objects share what did not change, so this spares most of the walk.
  if (left === right) return;
  if (type === undefined) {
    noteLeaf(left, right, to);
    return;
  }
  const leftShape = left === undefined ? undefined : shapeOf(type, left);
  const rightShape = right === undefined ? undefined : shapeOf(type, right);
  let isLeaf = false;
  if (leftShape !== undefined && rightShape !== undefined && leftShape !== rightShape) {
    compareAs(leftShape, left, right, { type, to });
  }
  isLeaf = compareAs(rightShape ?? leftShape ?? 'scalar', left, right, { type, to });
  if (isLeaf) return;
  if (left === undefined) to.added.insert(to.path);
  else if (right === undefined) to.removed.insert(to.path);
}

interface Target {
  readonly type: FieldType;
  readonly to: Builders;
}

/** Compares two values of one shape, and says whether they counted as a leaf. */
function compareAs(shape: Shape, left: Side, right: Side, { type, to }: Target): boolean {
  switch (shape) {
    case 'scalar':
      noteLeaf(left, right, to);
      return true;
    case 'list':
      return type.list === undefined ? false : compareLists(left, right, type.list, to);
    case 'map':
      return type.map === undefined ? false : compareMaps(left, right, type.map, to);
  }
}

function noteLeaf(left: Side, right: Side, to: Builders): void {
  if (left === undefined) to.added.insert(to.path);
  else if (right === undefined) to.removed.insert(to.path);
  else if (!isSameJson(left, right)) to.modified.insert(to.path);
}

function compareMaps(left: Side, right: Side, type: MapType, to: Builders): boolean {
  const before = mapIn(left);
  const after = mapIn(right);
  // Two empty maps are a leaf, so that null and {} stay different.
  const isEmpty = (before === undefined || isEmptyObject(before)) && (after === undefined || isEmptyObject(after));
  if (type.isAtomic || isEmpty) {
    noteLeaf(left, right, to);
    return true;
  }
  for (const name in before) {
    const other = after !== undefined && Object.hasOwn(after, name) ? after[name] : undefined;
    if (before[name] !== other) compareField(name, before[name], other, { type, to });
  }
  for (const name in after) {
    if (before === undefined || !Object.hasOwn(before, name)) compareField(name, undefined, after[name], { type, to });
  }
  return false;
}

function compareField(
  name: string,
  left: Side,
  right: Side,
  { type, to }: { readonly type: MapType; readonly to: Builders },
): void {
  to.path.push(fieldElement(name));
  compareSides(left, right, type.field(name), to);
  to.path.pop();
}

function compareLists(left: Side, right: Side, type: ListType, to: Builders): boolean {
  const before = listIn(left) ?? [];
  const after = listIn(right) ?? [];
  if (type.isAtomic || (before.length === 0 && after.length === 0)) {
    noteLeaf(left, right, to);
    return true;
  }
  // Working out what items are called costs more than looking whether any has changed.
  if (isSameJson(before, after)) return false;
  const olds = groupByElement(before, type);
  const news = groupByElement(after, type);
  for (const [element, items] of olds) compareItems(element, items, news.get(element) ?? [], { type, to });
  for (const [element, items] of news) {
    if (!olds.has(element)) compareItems(element, [], items, { type, to });
  }
  return false;
}

function groupByElement(list: readonly JsonValue[], type: ListType): ReadonlyMap<PathElement, readonly JsonValue[]> {
  const groups = new Map<PathElement, JsonValue[]>();
  for (const item of list) {
    const element = itemElement(type, item);
    const group = groups.get(element);
    if (group === undefined) groups.set(element, [item]);
    else group.push(item);
  }
  return groups;
}

/** Items that stand more than once are one leaf together, since nothing tells them apart. */
function compareItems(
  element: PathElement,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  { type, to }: { readonly type: ListType; readonly to: Builders },
): void {
  to.path.push(element);
  if (before.length <= 1 && after.length <= 1) {
    compareSides(before[0], after[0], type.item, to);
  } else if (before.length > 1 && after.length > 1) {
    if (!isSameJson(before, after)) to.modified.insert(to.path);
  } else if (before.length > 1) {
    if (after.length > 0) compareSides(undefined, after[0], type.item, to);
    to.removed.insert(to.path);
  } else {
    if (before.length > 0) compareSides(before[0], undefined, type.item, to);
    to.added.insert(to.path);
  }
  to.path.pop();
}
