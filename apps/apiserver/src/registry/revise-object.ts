import { isSameJson, type JsonObject } from '@smalt/json';
import { keepTimestamps } from '@smalt/managed-fields';
import { goQuote, resourceVersionRequired, type Resource } from '@smalt/resource';

import {
  conflictError,
  invalidError,
  modifiedError,
  notFoundError,
  unclassifiedError,
  unknownResourceError,
} from '../errors/make-status-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { AdmissionReview } from './admission.ts';
import { checkNameParameter } from './check-name-parameter.ts';
import { checkChangedObject } from './check-object.ts';
import { createAccepted } from './create-object.ts';
import { dedupeOwnerReferences } from './dedupe-owner-references.ts';
import { checkNamespaceForUpdate, isNamespace, namespaceFinalizersOf } from './namespace-lifecycle.ts';
import {
  finalizersOf,
  inOrder,
  isBeingDeleted,
  metadataNumber,
  metadataText,
  withMetadata,
} from './object-metadata.ts';
import { placeInNamespace } from './place-in-namespace.ts';
import { prepareRevision } from './prepare-revision.ts';
import type { RegistryDependencies } from './registry-dependencies.ts';
import { policyOf } from './resource-policy.ts';
import { storageKey, storageName } from './storage-name.ts';
import { storeObject } from './store-object.ts';
import { isInStoredForm } from './stored-form.ts';
import { triedObject, unstoredObject } from './unstored-object.ts';
import type { ObjectKey, Subresource, WriteContext } from './write-context.ts';

const MAX_ATTEMPTS = 5;

/** A change to one object, whatever it was asked for by. */
export interface Revision {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly subresource: Subresource;
  readonly context: WriteContext;
  /** Whether the object is made when there is none. */
  readonly mayCreate: boolean;
  /** Whether another uid is a conflict; else it is an attempt to change a field that cannot change. */
  readonly checksUid: boolean;
  /** Makes the wanted object of the one that is there, in the form of the resource, with field owners recorded. */
  readonly revise: (live: JsonObject | undefined) => JsonObject;
  /** The options of the request, for admission. */
  readonly options: JsonObject;
}

export interface RevisionResult {
  readonly object: StoredObject;
  readonly isCreated: boolean;
}

/** Changes an object, and decides anew when somebody else was faster. */
export async function reviseObject(deps: RegistryDependencies, revision: Revision): Promise<RevisionResult> {
  if (revision.subresource === 'status' && !revision.resource.hasStatus) throw unknownResourceError();
  checkNameParameter(revision.key.name);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const result = await tryRevision(deps, revision);
    if (result !== undefined) return result;
    revision.context.signal.throwIfAborted();
  }
  throw modifiedError(revision.resource, revision.key.name);
}

async function tryRevision(deps: RegistryDependencies, revision: Revision): Promise<RevisionResult | undefined> {
  const { resource, key, subresource, context } = revision;
  const stored = deps.store.get(storageName(resource), storageKey(key));
  if (stored === undefined) return createInstead(deps, revision);
  const live = deps.served.view(resource, stored).value;
  const wanted = placeInNamespace(resource, key.namespace, revision.revise(live));
  if (revision.checksUid) checkUid(revision, wanted, live);
  checkNamespaceForUpdate(deps.store, resource, key.namespace);
  const review = updateReview(revision, wanted, live);
  const mutated = (await deps.admission.mutate(review, context.signal)) ?? wanted;
  const object = withResourceVersion(revision, dedupeOwnerReferences(mutated, context.addWarning, true), live);
  const prepared = keepTimestamps(live, inOrder(resource, prepareRevision(resource, subresource, object, live)));
  checkChangedObject(resource, prepared, live, subresource);
  for (const warning of resource.strategy.warnings(prepared)) context.addWarning(warning);
  await deps.admission.validate({ ...review, object: prepared }, context.signal);
  return store(deps, revision, stored, { prepared, live });
}

async function store(
  deps: RegistryDependencies,
  revision: Revision,
  stored: StoredObject,
  change: { readonly prepared: JsonObject; readonly live: JsonObject },
): Promise<RevisionResult | undefined> {
  const { resource, key, context } = revision;
  const { prepared, live } = change;
  if (context.dryRun) return { object: triedObject(deps.served, resource, key, prepared), isCreated: false };
  if (isReadyToGo(resource, prepared, live)) {
    const gone = await storeObject(deps, { resource, key, expected: stored, object: undefined });
    // The answer shows what was asked for; that it is gone, watchers learn.
    return gone === undefined ? undefined : { object: unstoredObject(resource, key, prepared), isCreated: false };
  }
  if (isSameJson(prepared, live) && isInStoredForm(deps.served.forms, resource, stored, prepared)) {
    return unchanged(deps, revision, stored);
  }
  const written = await storeObject(deps, { resource, key, expected: stored, object: prepared });
  return written === undefined ? undefined : { object: written, isCreated: false };
}

async function unchanged(
  deps: RegistryDependencies,
  revision: Revision,
  stored: StoredObject,
): Promise<RevisionResult | undefined> {
  const settled = deps.store.settled();
  if (settled !== undefined && !(await settled)) return undefined;
  return { object: deps.served.view(revision.resource, stored), isCreated: false };
}

async function createInstead(deps: RegistryDependencies, revision: Revision): Promise<RevisionResult> {
  const { resource, key, context } = revision;
  if (!revision.mayCreate || revision.subresource !== '') throw notFoundError(resource, key.name);
  const wanted = placeInNamespace(resource, key.namespace, revision.revise(undefined));
  const uid = metadataText(wanted, 'uid');
  if (uid !== '') throw uidPrecondition(revision, uid, '');
  context.authorizeCreate();
  const unversioned = withMetadata(wanted, { resourceVersion: undefined });
  const object = await createAccepted(deps, { resource, namespace: key.namespace, object: unversioned, context });
  return { object, isCreated: true };
}

// An object that was waiting for its last finalizer goes as soon as that is removed.
function isReadyToGo(resource: Resource, object: JsonObject, live: JsonObject): boolean {
  if (isNamespace(resource) && namespaceFinalizersOf(object).length > 0) return false;
  if (finalizersOf(object).length > 0 || !isBeingDeleted(live)) return false;
  return (metadataNumber(live, 'deletionGracePeriodSeconds') ?? 0) === 0;
}

function withResourceVersion(revision: Revision, object: JsonObject, live: JsonObject): JsonObject {
  const { resource, key } = revision;
  const asked = metadataText(object, 'resourceVersion');
  const current = metadataText(live, 'resourceVersion');
  if (asked === current) return object;
  if (!/^\d*$/.test(asked)) {
    throw unclassifiedError(`strconv.ParseUint: parsing ${goQuote(asked)}: invalid syntax`);
  }
  if (asked !== '' && asked !== '0') throw modifiedError(resource, key.name);
  if (policyOf(resource).allowsUnconditionalUpdate) return withMetadata(object, { resourceVersion: current });
  throw invalidError({ group: resource.group, kind: resource.plural }, key.name, [resourceVersionRequired()]);
}

function checkUid(revision: Revision, wanted: JsonObject, live: JsonObject): void {
  const uid = metadataText(wanted, 'uid');
  const current = metadataText(live, 'uid');
  if (uid !== '' && uid !== current) throw uidPrecondition(revision, uid, current);
}

function uidPrecondition(revision: Revision, uid: string, current: string): Error {
  const { resource, key } = revision;
  const path = resource.isNamespaced ? `${key.namespace}/${key.name}` : key.name;
  const what = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current}`;
  const where = `/registry/${resource.group === '' ? '' : `${resource.group}/`}${resource.plural}/${path}`;
  const why = `StorageError: invalid object, Code: 4, Key: ${where}, ResourceVersion: 0, AdditionalErrorMsg: ${what}`;
  return conflictError(resource, key.name, why);
}

function updateReview(revision: Revision, object: JsonObject, oldObject: JsonObject): AdmissionReview {
  const { resource, key, context, subresource, options } = revision;
  return {
    operation: 'UPDATE',
    resource,
    subresource,
    namespace: isNamespace(resource) ? key.name : key.namespace,
    name: key.name,
    object,
    oldObject,
    user: context.user,
    dryRun: context.dryRun,
    options,
    addWarning: context.addWarning,
  };
}
