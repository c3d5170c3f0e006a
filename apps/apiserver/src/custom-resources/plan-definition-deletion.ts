import type { JsonObject } from '@smalt/json';

import { objectAt } from '../identity/object-fields.ts';
import { finalizersOf, timestamp, withMetadata } from '../registry/object-metadata.ts';
import { withCondition } from './definition-conditions.ts';

/** Keeps a definition until its objects are gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** A definition that was asked to go: it waits for its objects, and says so. */
export function definitionMarkedForDeletion(crd: JsonObject, now: number): JsonObject {
  const finalizers = finalizersOf(crd);
  const all = finalizers.includes(CLEANUP_FINALIZER) ? finalizers : [...finalizers, CLEANUP_FINALIZER];
  const pending = {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  } as const;
  const status = withCondition(objectAt(crd, 'status'), pending, now);
  return { ...withMetadata(crd, { deletionTimestamp: timestamp(now), finalizers: all }), status };
}
