import type { JsonObject } from '@smalt/json';

import { differenceOf, EMPTY_SET, type FieldSet, intersectionOf, unionOf } from './field-set.ts';
import type { FieldType } from './field-type.ts';
import type { Manager } from './managers.ts';
import { nameFields } from './name-fields.ts';
import { ownedFields } from './owned-fields.ts';
import { removeFields } from './remove-fields.ts';

/** The merged object without what its applier owned last time and nobody, the applier included, owns now. */
export function pruneFields(
  merged: JsonObject,
  last: FieldSet,
  managers: Iterable<Manager>,
  type: FieldType,
): JsonObject {
  const lastNamed = nameFields(last, type);
  const mergedNamed = nameFields(ownedFields(merged, type), type);
  const named = (object: JsonObject): FieldSet => nameFields(ownedFields(object, type), type);

  let managed: FieldSet = EMPTY_SET;
  for (const { fields } of managers) managed = unionOf(managed, fields);
  const pruned = removeFields(merged, lastNamed, type);
  const kept = removeFields(merged, differenceOf(mergedNamed, unionOf(named(pruned), nameFields(managed, type))), type);
  // Removing a struct takes along what is in it, though the applier may never have owned that.
  return removeFields(merged, intersectionOf(differenceOf(mergedNamed, named(kept)), lastNamed), type);
}
