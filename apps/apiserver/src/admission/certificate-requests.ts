import { isSameJson, type JsonObject, type JsonValue } from '@smalt/json';

import type { Authorizer } from '../authorization/authorizer.ts';
import { checkRequestedSubject, checkSignerAccess } from '../identity/check-certificate-request.ts';
import { objectAt } from '../identity/object-fields.ts';
import type { AdmissionReview } from '../registry/admission.ts';

/** A new CertificateSigningRequest says who made it, whatever its writer claims. Anything else stays as it is. */
export function withRequester(review: AdmissionReview): JsonObject | undefined {
  const { object, user, operation } = review;
  if (object === undefined || operation !== 'CREATE' || !isCertificateRequest(review)) return object;
  const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...spec } = objectAt(object, 'spec');
  const extra: JsonValue = Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]]));
  const requester = {
    username: user.name,
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    groups: [...user.groups],
    ...(Object.keys(user.extra).length === 0 ? {} : { extra }),
  };
  return { ...object, spec: { ...spec, ...requester } };
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
