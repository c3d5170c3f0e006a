import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { modifiedError, notFoundError } from '../errors/make-status-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { AdmissionReview } from './admission.ts';
import { checkNameParameter } from './check-name-parameter.ts';
import { checkNamespaceForDelete, isNamespace } from './namespace-lifecycle.ts';
import { metadataText } from './object-metadata.ts';
import { planDeletion } from './plan-deletion.ts';
import type { RegistryDependencies } from './registry-dependencies.ts';
import { policyOf } from './resource-policy.ts';
import { storageKey, storageName } from './storage-name.ts';
import { storeObject } from './store-object.ts';
import { triedObject } from './unstored-object.ts';
import type { DeleteOptions, ObjectKey, WriteContext } from './write-context.ts';

const MAX_ATTEMPTS = 5;

export interface DeleteRequest {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly options: DeleteOptions;
  readonly context: WriteContext;
}

/** The answer to a deletion: the object, or a Status that names what is gone. */
export type DeleteResult =
  | { readonly kind: 'object'; readonly object: StoredObject; readonly isGone: boolean }
  | { readonly kind: 'status'; readonly status: JsonObject; readonly isGone: true };

/** Deletes an object, at once or when its finalizers allow. */
export async function deleteObject(deps: RegistryDependencies, request: DeleteRequest): Promise<DeleteResult> {
  checkNameParameter(request.key.name);
  checkNamespaceForDelete(request.resource, request.key.name);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const result = await tryDelete(deps, request);
    if (result !== undefined) return result;
    request.context.signal.throwIfAborted();
  }
  throw modifiedError(request.resource, request.key.name);
}

async function tryDelete(deps: RegistryDependencies, request: DeleteRequest): Promise<DeleteResult | undefined> {
  const { resource, key, context } = request;
  const stored = deps.store.get(storageName(resource), storageKey(key));
  if (stored === undefined) throw notFoundError(resource, key.name);
  const live = deps.served.view(resource, stored).value;
  const review = deleteReview(request, live);
  await deps.admission.mutate(review, context.signal);
  // What is not the one that was meant is told before who may delete it.
  const plan = planDeletion(resource, live, request.options, deps.now());
  await deps.admission.validate(review, context.signal);
  switch (plan.kind) {
    case 'wait':
      return waiting(deps, request, stored);
    case 'mark': {
      const marked = context.dryRun
        ? triedObject(deps.served, resource, key, plan.object)
        : await storeObject(deps, { resource, key, expected: stored, object: plan.object });
      return marked === undefined ? undefined : { kind: 'object', object: marked, isGone: false };
    }
    case 'remove':
      // Admission may have taken its time: what was not planned for is not removed.
      if (deps.store.get(storageName(resource), storageKey(key)) !== stored) return undefined;
      return remove(deps, request, plan.last === undefined ? stored : markLast(deps, request, stored, plan.last));
  }
}

async function waiting(
  deps: RegistryDependencies,
  request: DeleteRequest,
  stored: StoredObject,
): Promise<DeleteResult | undefined> {
  const settled = deps.store.settled();
  if (settled !== undefined && !(await settled)) return undefined;
  return { kind: 'object', object: deps.served.view(request.resource, stored), isGone: false };
}

// Both writes are decided in the same turn, so that they become durable together or not at all.
function markLast(
  deps: RegistryDependencies,
  request: DeleteRequest,
  stored: StoredObject,
  last: JsonObject,
): StoredObject {
  const { resource, key } = request;
  if (request.context.dryRun) return triedObject(deps.served, resource, key, last);
  const marked = storeObject(deps, { resource, key, expected: stored, object: last });
  // The removal fails together with it, and tells.
  marked.catch(() => undefined);
  return deps.store.get(storageName(resource), storageKey(key)) ?? stored;
}

async function remove(
  deps: RegistryDependencies,
  request: DeleteRequest,
  stored: StoredObject,
): Promise<DeleteResult | undefined> {
  const { resource, key, context } = request;
  const gone = context.dryRun
    ? stored
    : await storeObject(deps, { resource, key, expected: stored, object: undefined });
  if (gone === undefined) return undefined;
  const object = deps.served.view(resource, gone);
  if (policyOf(resource).returnsDeletedObject) return { kind: 'object', object, isGone: true };
  return { kind: 'status', status: successStatus(resource, object.value), isGone: true };
}

function successStatus(resource: Resource, object: JsonObject): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: metadataText(object, 'name'),
      ...(resource.group === '' ? {} : { group: resource.group }),
      kind: resource.plural,
      uid: metadataText(object, 'uid'),
    },
  };
}

function deleteReview(request: DeleteRequest, oldObject: JsonObject): AdmissionReview {
  const { resource, key, context } = request;
  return {
    operation: 'DELETE',
    resource,
    subresource: '',
    namespace: isNamespace(resource) ? key.name : key.namespace,
    name: key.name,
    object: undefined,
    oldObject,
    user: context.user,
    dryRun: context.dryRun,
    options: deleteOptions(request),
    addWarning: context.addWarning,
  };
}

function deleteOptions(request: DeleteRequest): JsonObject {
  const { propagationPolicy, gracePeriodSeconds, preconditions } = request.options;
  return {
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...(request.context.dryRun ? { dryRun: ['All'] } : {}),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined ? {} : { preconditions: { ...preconditions } }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
  };
}
