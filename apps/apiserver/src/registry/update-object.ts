import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { acceptObject } from './accept-object.ts';
import { checkName } from './check-name.ts';
import { dedupeOwnerReferences } from './dedupe-owner-references.ts';
import { withMetadata } from './object-metadata.ts';
import type { RegistryDependencies } from './registry-dependencies.ts';
import { policyOf } from './resource-policy.ts';
import { reviseObject, type RevisionResult } from './revise-object.ts';
import type { ObjectKey, Subresource, WriteContext } from './write-context.ts';

export interface UpdateRequest {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly object: JsonObject;
  readonly context: WriteContext;
  readonly subresource: Subresource;
}

/** Replaces an object, or its status, by the one of a request. */
export async function updateObject(deps: RegistryDependencies, request: UpdateRequest): Promise<RevisionResult> {
  const { resource, key, context, subresource } = request;
  const accepted = acceptObject(resource, request.object, context);
  checkName(resource, key, accepted);
  const object = dedupeOwnerReferences(accepted, context.addWarning, false);
  const owner = { resource, subresource, manager: context.fieldManager, now: deps.now() };
  return reviseObject(deps, {
    resource,
    key,
    subresource,
    context,
    checksUid: true,
    mayCreate: policyOf(resource).allowsCreateOnUpdate,
    revise: (live) => deps.owners.record(owner, live, live === undefined ? forCreation(object) : object),
    options: updateOptions(context),
  });
}

/** The options of an update as admission sees them. */
export function updateOptions(context: WriteContext): JsonObject {
  return {
    kind: 'UpdateOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...(context.dryRun ? { dryRun: ['All'] } : {}),
    ...(context.fieldManager === '' ? {} : { fieldManager: context.fieldManager }),
    fieldValidation: context.fieldValidation,
  };
}

function forCreation(object: JsonObject): JsonObject {
  return withMetadata(object, { creationTimestamp: undefined, deletionTimestamp: undefined });
}
