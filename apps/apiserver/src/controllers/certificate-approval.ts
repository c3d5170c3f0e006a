import type { JsonObject } from '@smalt/json';
import { validateApproval } from '@smalt/kubernetes-api';
import type { Resource } from '@smalt/resource';

import { conflictError, invalidError, modifiedError, notFoundError } from '../errors/make-status-error.ts';
import { objectAt, objectsAt } from '../identity/object-fields.ts';
import { metadataText, timestamp } from '../registry/object-metadata.ts';
import { storageKey, storageName } from '../registry/storage-name.ts';
import type { Store } from '../store/store.ts';
import { changeStoredObject } from './change-stored-object.ts';

export interface Approval {
  readonly requests: Resource;
  readonly name: string;
  /** The request as the approver wants it, given what it is; only its conditions count. */
  readonly revise: (live: JsonObject) => JsonObject;
  /** May change what the approver wants, or refuse it. */
  readonly mutate: (wanted: JsonObject, live: JsonObject) => Promise<JsonObject>;
  /** May refuse, given the request as it would become and as it is. */
  readonly validate: (next: JsonObject, live: JsonObject) => Promise<void>;
  readonly dryRun: boolean;
  readonly now: number;
}

const MAX_ATTEMPTS = 5;

/** Sets the conditions of a CertificateSigningRequest, which is how it is approved or denied. Returns the new request. */
export async function approveRequest(store: Store, approval: Approval): Promise<JsonObject> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const result = await tryApproval(store, approval);
    if (result !== undefined) return result;
  }
  throw modifiedError(approval.requests, approval.name);
}

async function tryApproval(store: Store, approval: Approval): Promise<JsonObject | undefined> {
  const { requests, name } = approval;
  const key = { namespace: '', name };
  const live = store.get(storageName(requests), storageKey(key))?.value;
  if (live === undefined) throw notFoundError(requests, name);
  const wanted = approval.revise(live);
  checkPreconditions(approval, wanted, live);
  const next = approved(live, await approval.mutate(wanted, live), approval.now);
  const errors = validateApproval(next, live);
  if (errors.length > 0) throw invalidError(requests, name, errors);
  await approval.validate(next, live);
  if (approval.dryRun) return next;
  // What was admitted was admitted for this version, and for no other.
  const version = metadataText(live, 'resourceVersion');
  const stored = await changeStoredObject(store, requests, key, (current) =>
    metadataText(current, 'resourceVersion') === version ? { kind: 'write', object: next } : { kind: 'nothing' },
  );
  return stored?.value;
}

function checkPreconditions({ requests, name }: Approval, wanted: JsonObject, live: JsonObject): void {
  const uid = metadataText(wanted, 'uid');
  const own = metadataText(live, 'uid');
  if (uid !== '' && uid !== own) {
    const what = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${own}`;
    const where = `Key: /registry/${requests.plural}/${name}, ResourceVersion: 0`;
    const why = `StorageError: invalid object, Code: 4, ${where}, AdditionalErrorMsg: ${what}`;
    throw conflictError(requests, name, why);
  }
  const version = metadataText(wanted, 'resourceVersion');
  if (version !== '' && version !== metadataText(live, 'resourceVersion')) throw modifiedError(requests, name);
}

function approved(live: JsonObject, wanted: JsonObject, now: number): JsonObject {
  const before = objectsAt(objectAt(live, 'status'), 'conditions');
  const conditions = objectsAt(objectAt(wanted, 'status'), 'conditions').map((condition) => {
    const old = before.find(({ type }) => type === condition['type']);
    const isSame = old !== undefined && old['status'] === condition['status'];
    return {
      ...condition,
      lastUpdateTime: condition['lastUpdateTime'] ?? timestamp(now),
      lastTransitionTime:
        condition['lastTransitionTime'] ?? (isSame ? (old['lastTransitionTime'] ?? timestamp(now)) : timestamp(now)),
    };
  });
  return { ...live, status: { ...objectAt(live, 'status'), conditions } };
}
