import { type FieldSet, makeNode, mapChildren } from './field-set.ts';
import type { FieldType } from './field-type.ts';
import { fieldNameOf } from './path-element.ts';

/**
 * A set that also holds the declared fields on the way to its members. Those are normally no members, since a struct
 * that is there has no owner, but they must go when all in them goes.
 */
export function nameFields(set: FieldSet, type: FieldType | undefined): FieldSet {
  return mapChildren(set, (element, child, isSelf) => {
    const name = fieldNameOf(element);
    const isDeclared = name !== undefined && type?.map?.declared(name) !== undefined;
    const childType = name === undefined ? itemType(element, type) : type?.map?.field(name);
    return makeNode(isSelf || isDeclared, nameFields(child, childType));
  });
}

function itemType(element: string, type: FieldType | undefined): FieldType | undefined {
  return element.startsWith('k:') ? type?.list?.item : undefined;
}
