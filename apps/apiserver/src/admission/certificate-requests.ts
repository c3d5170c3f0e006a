import { isSameJson, type JsonObject } from '@smalt/json';

import type { Authorizer } from '../authorization/authorizer.ts';
import { checkRequestedSubject, checkSignerAccess, withRequester } from '../identity/check-certificate-request.ts';
import { objectAt, objectsAt } from '../identity/object-fields.ts';
import type { AdmissionReview } from '../registry/admission.ts';

const DECISIONS = ['Approved', 'Denied'];

/**
 * A new CertificateSigningRequest says who made it, whatever its writer claims, and a new status keeps what was decided
 * about it. Anything else stays as it is.
 */
export function completeCertificateRequest(review: AdmissionReview): JsonObject | undefined {
  const { object, oldObject, user, operation, subresource } = review;
  if (object === undefined || !isCertificateRequest(review)) return object;
  if (operation === 'CREATE' && subresource === '') return withRequester(object, user);
  return subresource === 'status' && oldObject !== undefined ? withDecisionsOf(oldObject, object) : object;
}

// Only its own path decides about a request. Decisions that are missing or too many are refused later.
function withDecisionsOf(old: JsonObject, object: JsonObject): JsonObject {
  const before = objectsAt(objectAt(old, 'status'), 'conditions');
  let conditions = objectsAt(objectAt(object, 'status'), 'conditions');
  for (const decision of DECISIONS) {
    const kept = before.filter(({ type }) => type === decision);
    if (kept.length === 0 || conditions.filter(({ type }) => type === decision).length !== kept.length) continue;
    const left = kept.values();
    conditions = conditions.map((each) => (each['type'] === decision ? (left.next().value ?? each) : each));
  }
  return conditions.length === 0 ? object : { ...object, status: { ...objectAt(object, 'status'), conditions } };
}

/** Refuses requests, approvals and certificates that their writer has no right to. */
export function checkCertificateRequest(authorizer: Authorizer, review: AdmissionReview): void {
  const { object, oldObject, user, operation, subresource } = review;
  if (object === undefined || !isCertificateRequest(review)) return;
  if (operation === 'CREATE') checkRequestedSubject(object);
  else if (subresource === 'approval' && oldObject !== undefined)
    checkSignerAccess(authorizer, user, 'approve', oldObject);
  else if (subresource === 'status' && oldObject !== undefined) {
    const [next, before] = [objectAt(object, 'status'), objectAt(oldObject, 'status')];
    if (!isSameJson(next, before)) checkSignerAccess(authorizer, user, 'sign', oldObject);
  }
}

function isCertificateRequest({ resource }: AdmissionReview): boolean {
  return resource.group === 'certificates.k8s.io' && resource.plural === 'certificatesigningrequests';
}
