import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { isConflict, isNotFound } from '../errors/status-error.ts';
import { objectAt } from '../identity/object-fields.ts';
import { finalizersOf, withMetadata } from '../registry/object-metadata.ts';
import type { Registry } from '../registry/registry.ts';
import { storageName } from '../registry/storage-name.ts';
import type { WriteContext } from '../registry/write-context.ts';
import type { Store } from '../store/store.ts';
import { isConditionTrue, withCondition, type DefinitionCondition } from './definition-conditions.ts';
import { CLEANUP_FINALIZER } from './plan-definition-deletion.ts';

export interface CleanupDependencies {
  readonly store: Store;
  readonly registry: Registry;
  readonly definitions: Resource;
  readonly now: () => number;
}

/** A definition that is being deleted, and the kind of its objects, served or not. */
export interface DyingDefinition {
  readonly name: string;
  readonly crd: JsonObject;
  readonly instances: Resource;
}

/** Deletes the objects of a definition, and lets the definition go when none is left. Says whether that is so. */
export async function deleteInstances(
  deps: CleanupDependencies,
  dying: DyingDefinition,
  context: WriteContext,
): Promise<boolean> {
  const status = objectAt(dying.crd, 'status');
  const { instances } = dying;
  const remaining = (): number => deps.store.count(storageName(instances));
  // A kind is served a moment before its status says so, and may have objects by then.
  if (!isConditionTrue(status, 'Established') && remaining() === 0) {
    await release(deps, dying, condition('False', 'NeverEstablished', 'resource was never established'), context);
    return true;
  }
  const progress = condition('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
  await writeStatus(deps, dying, withCondition(status, progress, deps.now()), context);
  try {
    await deps.registry.deleteCollection(instances, { namespace: '' }, {}, context);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const failed = condition('True', 'InstanceDeletionFailed', `could not issue all deletes: ${why}`);
    await writeStatus(deps, dying, withCondition(status, failed, deps.now()), context);
    throw error;
  }
  // Objects with finalizers of their own take their time; each that goes brings us back here.
  if (remaining() > 0) return false;
  await release(deps, dying, condition('False', 'InstanceDeletionCompleted', 'removed all instances'), context);
  return true;
}

function condition(status: 'True' | 'False', reason: string, message: string): DefinitionCondition {
  return { type: 'Terminating', status, reason, message };
}

async function release(
  deps: CleanupDependencies,
  dying: DyingDefinition,
  done: DefinitionCondition,
  context: WriteContext,
): Promise<void> {
  const current = deps.store.get(storageName(deps.definitions), `/${dying.name}`)?.value;
  if (current === undefined) return;
  const finalizers = finalizersOf(current).filter((name) => name !== CLEANUP_FINALIZER);
  const status = withCondition(objectAt(current, 'status'), done, deps.now());
  const object = withMetadata(current, { finalizers: finalizers.length === 0 ? undefined : finalizers });
  await update(deps, dying.name, { ...object, status }, context);
}

async function writeStatus(
  deps: CleanupDependencies,
  { name }: DyingDefinition,
  status: JsonObject,
  context: WriteContext,
): Promise<void> {
  const current = deps.store.get(storageName(deps.definitions), `/${name}`)?.value;
  if (current !== undefined) await update(deps, name, { ...current, status }, context);
}

async function update(
  deps: CleanupDependencies,
  name: string,
  object: JsonObject,
  context: WriteContext,
): Promise<void> {
  try {
    await deps.registry.update(deps.definitions, { namespace: '', name }, object, { context, subresource: 'status' });
  } catch (error) {
    // Whoever changed or removed it meanwhile made an event, which brings us back.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
