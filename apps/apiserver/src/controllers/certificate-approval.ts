import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { invalidError, modifiedError } from '../errors/make-status-error.ts';
import { objectAt, objectsAt } from '../identity/object-fields.ts';
import { metadataText, timestamp } from '../registry/object-metadata.ts';
import type { Store } from '../store/store.ts';
import { changeStoredObject } from './change-stored-object.ts';

export interface Approval {
  readonly requests: Resource;
  readonly name: string;
  /** The request as the approver wants it; only its conditions count. */
  readonly object: JsonObject;
  /** May refuse, given the request as it would become and as it is. */
  readonly check: (next: JsonObject, live: JsonObject) => Promise<void>;
  readonly dryRun: boolean;
  readonly now: number;
}

/** Sets the conditions of a CertificateSigningRequest, which is how it is approved or denied. Returns the new request. */
export async function approveRequest(store: Store, approval: Approval): Promise<JsonObject> {
  const { requests, name, object } = approval;
  const key = { namespace: '', name };
  const live = store.get(`${requests.plural}.${requests.group}`, `/${name}`)?.value;
  if (live !== undefined) await approval.check(approved(live, object, approval.now), live);
  let result = object;
  await changeStoredObject(store, requests, key, (current) => {
    const asked = metadataText(object, 'resourceVersion');
    if (asked !== '' && asked !== metadataText(current, 'resourceVersion')) throw modifiedError(requests, name);
    result = approved(current, object, approval.now);
    const errors = requests.strategy.validateStatusUpdate(result, current);
    if (errors.length > 0) throw invalidError(requests, name, errors);
    return approval.dryRun ? current : result;
  });
  return store.get(`${requests.plural}.${requests.group}`, `/${name}`)?.value ?? result;
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
