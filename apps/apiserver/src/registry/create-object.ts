import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { alreadyExistsError, generateNameConflictError, unclassifiedError } from '../errors/make-status-error.ts';
import { StatusError } from '../errors/status-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { acceptObject } from './accept-object.ts';
import type { AdmissionReview } from './admission.ts';
import { checkNewObject } from './check-object.ts';
import { dedupeOwnerReferences } from './dedupe-owner-references.ts';
import { generateName } from './generate-name.ts';
import { checkNamespaceForCreate, isNamespace } from './namespace-lifecycle.ts';
import { inOrder, isBeingDeleted, metadataText, timestamp, withField, withMetadata } from './object-metadata.ts';
import { placeInNamespace } from './place-in-namespace.ts';
import type { RegistryDependencies } from './registry-dependencies.ts';
import { policyOf } from './resource-policy.ts';
import { storageKey, storageName } from './storage-name.ts';
import { storeObject } from './store-object.ts';
import { triedObject } from './unstored-object.ts';
import type { ObjectKey, WriteContext } from './write-context.ts';

const MAX_NAME_ATTEMPTS = 8;

export interface CreateRequest {
  readonly resource: Resource;
  readonly namespace: string;
  readonly object: JsonObject;
  readonly context: WriteContext;
}

/** Creates an object from the body of a request. */
export async function createObject(deps: RegistryDependencies, request: CreateRequest): Promise<StoredObject> {
  const { resource, namespace, context } = request;
  const accepted = placeInNamespace(resource, namespace, acceptObject(resource, request.object, context));
  const wiped = dedupeOwnerReferences(withoutSystemFields(accepted), context.addWarning, false);
  const owner = { resource, subresource: '' as const, manager: context.fieldManager, now: deps.now() };
  return createAccepted(deps, { ...request, object: deps.owners.record(owner, undefined, wiped) });
}

/** Creates an object that was accepted already, with its field owners recorded: what is left are admission and rules. */
export async function createAccepted(deps: RegistryDependencies, request: CreateRequest): Promise<StoredObject> {
  const { resource, namespace, context } = request;
  const review = createReview(request);
  checkNamespaceForCreate(deps.store, resource, namespace, review.name);
  const mutated = (await deps.admission.mutate(review, context.signal)) ?? request.object;
  const object = dedupeOwnerReferences(mutated, context.addWarning, true);
  const isGenerated = metadataText(object, 'name') === '' && metadataText(object, 'generateName') !== '';
  for (let attempt = 1; ; attempt++) {
    const created = await tryCreate(deps, { ...request, object }, review);
    if (created.object !== undefined) return created.object;
    if (isGenerated && attempt < MAX_NAME_ATTEMPTS) continue;
    throw existsError(deps, resource, created.key, metadataText(object, 'generateName') !== '');
  }
}

function createReview(request: CreateRequest): AdmissionReview {
  const { resource, context, object } = request;
  const name = metadataText(object, 'name');
  return {
    operation: 'CREATE',
    resource,
    subresource: '',
    // A namespace stands inside of itself.
    namespace: isNamespace(resource) ? name : request.namespace,
    name,
    object,
    oldObject: undefined,
    user: context.user,
    dryRun: context.dryRun,
    options: createOptions(context),
    addWarning: context.addWarning,
  };
}

function createOptions(context: WriteContext): JsonObject {
  return {
    kind: 'CreateOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...(context.dryRun ? { dryRun: ['All'] } : {}),
    ...(context.fieldManager === '' ? {} : { fieldManager: context.fieldManager }),
    fieldValidation: context.fieldValidation,
  };
}

async function tryCreate(
  deps: RegistryDependencies,
  request: CreateRequest,
  review: AdmissionReview,
): Promise<{ readonly key: ObjectKey; readonly object: StoredObject | undefined }> {
  const { resource, context } = request;
  const object = prepare(deps, resource, request.object);
  const key = { namespace: resource.isNamespaced ? request.namespace : '', name: metadataText(object, 'name') };
  checkNewObject(resource, object);
  for (const warning of resource.strategy.warnings(object)) context.addWarning(warning);
  await deps.admission.validate({ ...review, name: key.name, object }, context.signal);
  if (metadataText(object, 'resourceVersion') !== '') {
    throw unclassifiedError('resourceVersion should not be set on objects to be created');
  }
  if (deps.store.get(storageName(resource), storageKey(key)) !== undefined) return { key, object: undefined };
  if (context.dryRun) return { key, object: triedObject(deps.served, resource, key, object) };
  // A namespace or a kind may have gone while admission was asked.
  checkNamespaceForCreate(deps.store, resource, request.namespace, key.name);
  deps.admission.confirm?.({ ...review, name: key.name, object });
  return { key, object: await storeObject(deps, { resource, key, expected: undefined, object }) };
}

function prepare(deps: RegistryDependencies, resource: Resource, object: JsonObject): JsonObject {
  const prefix = metadataText(object, 'generateName');
  const named = metadataText(object, 'name') === '' && prefix !== '';
  const filled = withMetadata(object, {
    ...(named ? { name: generateName(prefix, deps.randomInt) } : {}),
    uid: deps.randomUuid(),
    creationTimestamp: timestamp(deps.now()),
    // Kinds without a generation keep what they were given.
    ...(policyOf(resource).generation === 'none' ? {} : { generation: 1 }),
  });
  // Custom resources with a status subresource start without a status.
  const own = resource.hasStatus && !resource.isBuiltIn ? withField(filled, 'status', undefined) : filled;
  return inOrder(resource, resource.strategy.prepareForCreate(own));
}

function withoutSystemFields(object: JsonObject): JsonObject {
  return withMetadata(object, {
    creationTimestamp: undefined,
    uid: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
  });
}

function existsError(
  deps: RegistryDependencies,
  resource: Resource,
  key: ObjectKey,
  isGenerated: boolean,
): StatusError {
  const error = isGenerated ? generateNameConflictError(resource, key.name) : alreadyExistsError(resource, key.name);
  const existing = deps.store.get(storageName(resource), storageKey(key));
  if (existing === undefined || !isBeingDeleted(existing.value)) return error;
  const { details } = error.status;
  const message = `object is being deleted: ${error.message}`;
  return new StatusError({
    code: 409,
    reason: 'AlreadyExists',
    message,
    ...(details === undefined ? {} : { details }),
  });
}
