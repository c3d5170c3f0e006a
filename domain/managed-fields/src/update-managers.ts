import type { JsonObject } from '@smalt/json';

import { compareText } from './compare-values.ts';
import { type Comparison, compareObjects } from './compare-objects.ts';
import type { CompiledEndpoint } from './compiled-endpoint.ts';
import { type Conflict, conflictsWith } from './conflict.ts';
import {
  differenceOf,
  type FieldSet,
  intersectionOf,
  isEmptySet,
  recursiveDifferenceOf,
  unionOf,
} from './field-set.ts';
import type { Manager, ManagerName, Managers } from './managers.ts';
import { managerId } from './managers.ts';
import { reconcileWithSchema } from './reconcile-schema.ts';
import { STRIPPED_FIELDS } from './stripped-fields.ts';

/** Who writes, and when. */
export interface Writer extends ManagerName {
  readonly time: string;
}

/** The managers after a plain write: what it changed is the writer's, and nobody else's any more. */
export function updateManagers(
  endpoint: CompiledEndpoint,
  managers: Managers,
  change: Comparison,
  writer: Writer,
): Managers {
  const { added, modified, removed } = withoutReset(change, endpoint.resetFields);
  const written = unionOf(added, modified);
  const result = new Map(takeFields(reconcileManagers(managers, endpoint), unionOf(written, removed)));

  const owned = differenceOf(written, STRIPPED_FIELDS);
  if (isEmptySet(owned)) return result;
  const id = managerId(writer);
  const previous = result.get(id);
  result.set(id, { ...writer, fields: previous === undefined ? owned : unionOf(owned, previous.fields) });
  return result;
}

/** The comparison of two objects without what writers through this endpoint cannot change. */
export function compareWritten(
  endpoint: CompiledEndpoint,
  live: JsonObject,
  written: JsonObject,
): Comparison | undefined {
  const change = compareObjects(live, written, endpoint.type);
  return change === undefined ? undefined : withoutReset(change, endpoint.resetFields);
}

/** The conflicts of a change with what others own, in the order of their identifiers. */
export function findConflicts(
  managers: Managers,
  { added, modified }: Comparison,
  applierId: string,
): readonly Conflict[] {
  const written = unionOf(added, modified);
  return [...managers]
    .filter(([id]) => id !== applierId)
    .toSorted(([left], [right]) => compareText(left, right))
    .flatMap(([, manager]) => conflictsWith(manager, intersectionOf(manager.fields, written)));
}

/** The managers without these fields, and without those who then own nothing. */
export function takeFields(managers: Managers, fields: FieldSet, exceptId?: string): Managers {
  const result = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const rest = id === exceptId ? manager.fields : differenceOf(manager.fields, fields);
    if (!isEmptySet(rest)) result.set(id, rest === manager.fields ? manager : { ...manager, fields: rest });
  }
  return result;
}

export function reconcileManagers(managers: Managers, endpoint: CompiledEndpoint): Managers {
  const result = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const fields = reconcileWithSchema(manager.fields, endpoint.type);
    result.set(id, fields === manager.fields ? manager : { ...manager, fields });
  }
  return result;
}

function withoutReset(change: Comparison, resetFields: FieldSet): Comparison {
  if (isEmptySet(resetFields)) return change;
  return {
    added: recursiveDifferenceOf(change.added, resetFields),
    modified: recursiveDifferenceOf(change.modified, resetFields),
    removed: recursiveDifferenceOf(change.removed, resetFields),
  };
}
