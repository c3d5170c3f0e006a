import type { JsonValue } from '@smalt/json';

import { differenceOf, type FieldSet, fieldSetOfPaths, hasPath, isEmptySet } from './field-set.ts';
import { type Manager, printManagers, readManagers } from './managers.ts';
import { fieldElement } from './path-element.ts';

/**
 * Where each version of a kind keeps its replicas, by apiVersion: a path of names such as ['spec', 'replicas'], or an
 * empty one for a version that cannot be scaled.
 */
export type ReplicasPaths = Readonly<Record<string, readonly string[]>>;

const SCALE_VERSION = 'autoscaling/v1';
const SCALE_REPLICAS = ['spec', 'replicas'];

/** The managed fields of an object's Scale: of those who own its replicas. Undefined when nobody does. */
export function toScaleManagedFields(entries: JsonValue | undefined, paths: ReplicasPaths): JsonValue | undefined {
  const result = new Map<string, Manager>();
  for (const [id, manager] of readManagers(entries)) {
    const path = pathOf(paths, manager.apiVersion);
    if (path === undefined || !owns(manager.fields, path)) continue;
    result.set(id, { ...manager, apiVersion: SCALE_VERSION, fields: fieldSetOfPaths([SCALE_REPLICAS]) });
  }
  return printManagers(result);
}

export interface ScaleWrite {
  /** The managed fields of the object. */
  readonly entries: JsonValue | undefined;
  /** The managed fields of its Scale after the write. */
  readonly scaleEntries: JsonValue | undefined;
  /** The version of the object that was scaled. */
  readonly apiVersion: string;
  readonly paths: ReplicasPaths;
}

/** The managed fields of an object after its Scale was written: who lost the replicas there loses them here. */
export function fromScaleManagedFields({
  entries,
  scaleEntries,
  apiVersion,
  paths,
}: ScaleWrite): JsonValue | undefined {
  const scale = new Map(readManagers(scaleEntries));
  const managers = readManagers(entries);
  const result = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const path = pathOf(paths, manager.apiVersion);
    const kept =
      path !== undefined && owns(manager.fields, path) ? afterScale(manager, path, scale.delete(id)) : manager;
    if (kept !== undefined && path !== undefined) result.set(id, kept);
  }
  const fields = fieldSetOfPaths([pathOf(paths, apiVersion) ?? SCALE_REPLICAS]);
  for (const [id, scaler] of scale) {
    // Kubernetes loses the time of a write through Scale on the way back, and so do its clients expect it.
    if (owns(scaler.fields, SCALE_REPLICAS))
      result.set(id, { ...scaler, apiVersion, fields, time: managers.get(id)?.time ?? '' });
  }
  return printManagers(result);
}

function afterScale(manager: Manager, path: readonly string[], isKept: boolean): Manager | undefined {
  if (isKept) return manager;
  const fields = differenceOf(manager.fields, fieldSetOfPaths([path]));
  return isEmptySet(fields) ? undefined : { ...manager, fields };
}

function owns(fields: FieldSet, path: readonly string[]): boolean {
  return hasPath(fields, path.map(fieldElement));
}

function pathOf(paths: ReplicasPaths, apiVersion: string): readonly string[] | undefined {
  return Object.hasOwn(paths, apiVersion) ? paths[apiVersion] : undefined;
}
