import { isJsonObject } from '@smalt/json';

import { type FieldSet, makeNode, mapChildren } from './field-set.ts';
import type { FieldType } from './field-type.ts';
import { isEmptyObject } from './json-kind.ts';
import { fieldNameOf, SELF } from './path-element.ts';

/** A set that was made before a list or map became atomic: who owned a part of that now owns the whole. */
export function reconcileWithSchema(set: FieldSet, type: FieldType): FieldSet {
  return fitsSchema(set, type) ? set : reconcile(set, type);
}

function reconcile(set: FieldSet, type: FieldType): FieldSet {
  return mapChildren(set, (element, child, isSelf) => {
    const childType = typeBelow(type, element);
    if (childType === undefined || isEmptyObject(child)) return makeNode(isSelf, child);
    return isAtomic(childType) ? makeNode(true, {}) : makeNode(isSelf, reconcile(child, childType));
  });
}

/** Nearly all sets fit, so this is asked first: it makes nothing. */
function fitsSchema(set: FieldSet, type: FieldType): boolean {
  for (const element in set) {
    const child = set[element];
    if (element === SELF || !isJsonObject(child) || isEmptyObject(child)) continue;
    const childType = typeBelow(type, element);
    if (childType !== undefined && (isAtomic(childType) || !fitsSchema(child, childType))) return false;
  }
  return true;
}

function typeBelow(type: FieldType, element: string): FieldType | undefined {
  if (type.map !== undefined) {
    const name = fieldNameOf(element);
    return name === undefined || type.map.isFreeForm ? undefined : type.map.field(name);
  }
  // A type that may be a scalar or a list is looked at as a scalar, as upstream does.
  return type.scalar === undefined ? type.list?.item : undefined;
}

function isAtomic(type: FieldType): boolean {
  if (type.map !== undefined) return type.map.isAtomic && !type.map.isFreeForm;
  return type.scalar === undefined && type.list?.isAtomic === true;
}
