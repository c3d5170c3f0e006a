import type { JsonObject } from '@smalt/json';
import { goQuote } from '@smalt/resource';

import { resourceAttributes, type Authorizer } from '../authorization/authorizer.ts';
import { forbiddenError } from '../errors/make-status-error.ts';
import type { StatusError } from '../errors/status-error.ts';
import { objectAt, textAt } from './object-fields.ts';
import { SIGNERS } from './sign-request.ts';
import { userInfo } from './user-info.ts';
import { MASTERS_GROUP, type User } from './user.ts';
import { parseCertificateRequest } from './x509/certificate-request.ts';

const RESOURCE = { group: 'certificates.k8s.io', plural: 'certificatesigningrequests' };

/** A new CertificateSigningRequest as it is stored: it says who asked for it, whatever the one who asked wrote there. */
export function withRequester(request: JsonObject, user: User): JsonObject {
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = objectAt(request, 'spec');
  return { ...request, spec: { ...spec, ...userInfo(user) } };
}

/** Refuses a new CertificateSigningRequest that would make somebody a member of `system:masters`. */
export function checkRequestedSubject(request: JsonObject): void {
  const spec = objectAt(request, 'spec');
  if (textAt(spec, 'signerName') !== SIGNERS.client) return;
  const { subject } = parsed(request);
  if (!subject.organizations.includes(MASTERS_GROUP)) return;
  throw refusal(request, `use of ${SIGNERS.client} signer with system:masters group is not allowed`);
}

/** Refuses the approval or the signing of a request unless the user may do so for its signer. */
export function checkSignerAccess(
  authorizer: Authorizer,
  user: User,
  action: 'approve' | 'sign',
  request: JsonObject,
): void {
  const signerName = textAt(objectAt(request, 'spec'), 'signerName');
  const domain = signerName.split('/', 1)[0] ?? '';
  const isAllowed = [signerName, `${domain}/*`].some((name) => {
    const attributes = resourceAttributes({
      verb: action,
      group: RESOURCE.group,
      version: '*',
      resource: 'signers',
      name,
    });
    return authorizer.authorize(user, attributes).allowed;
  });
  if (isAllowed) return;
  throw refusal(request, `user not permitted to ${action} requests with signerName ${goQuote(signerName)}`);
}

function parsed(request: JsonObject): ReturnType<typeof parseCertificateRequest> {
  const pem = Buffer.from(textAt(objectAt(request, 'spec'), 'request'), 'base64').toString('utf8');
  try {
    return parseCertificateRequest(pem);
  } catch (error) {
    throw refusal(request, `failed to parse CSR: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function refusal(request: JsonObject, why: string): StatusError {
  return forbiddenError(RESOURCE, textAt(objectAt(request, 'metadata'), 'name'), why);
}
