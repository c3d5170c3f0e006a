import { isKubeError } from '@smalt/kube';

import { CertificateError } from './certificate-error.ts';
import {
  decideCertificate,
  renewCertificate,
  type CertificateContents,
  type CertificateWishes,
} from './certificate-contents.ts';
import { findSecret, secretKind, type Secret, type SecretPlace } from './secret-place.ts';

const FIELDS = {
  authorities: 'ca.crt',
  authorityKey: 'ca.key',
  certificate: 'tls.crt',
  key: 'tls.key',
} as const satisfies Record<keyof CertificateContents, string>;

const MOST_ATTEMPTS = 5;

/**
 * Reads the certificate that all replicas share, and renews it when it is time. Of several replicas that do so at once
 * one is heard; the others take what that one has written.
 */
export async function ensureCertificate(
  place: SecretPlace,
  wishes: CertificateWishes,
  signal: AbortSignal,
): Promise<CertificateContents> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const secret = await findSecret(place, signal);
    const found = contentsOf(secret);
    const decision = decideCertificate(found, wishes);
    if (found !== undefined && decision === 'keep') return found;
    const made = renewCertificate(found, decision === 'keep' ? 'renew-authority' : decision, wishes);
    if (await write(place, secret, made, signal)) return made;
  }
  const message = `the Secret ${place.namespace}/${place.name} is changed all the time: who else writes it?`;
  throw new CertificateError('contended', message);
}

/** Whether it was written; false when somebody else was faster. */
async function write(
  { client, namespace, name }: SecretPlace,
  secret: Secret | undefined,
  contents: CertificateContents,
  signal: AbortSignal,
): Promise<boolean> {
  const entries = Object.entries(FIELDS).map(([field, key]) => [key, encoded(contents, field)]);
  const data: Readonly<Record<string, string>> = { ...secret?.data, ...Object.fromEntries(entries) };
  try {
    if (secret !== undefined) await client.resource(secretKind).replace({ ...secret, data }, { signal });
    else
      await client
        .resource(secretKind)
        .create({ metadata: { name, namespace }, type: 'kubernetes.io/tls', data }, { signal });
    return true;
  } catch (error) {
    if (isKubeError(error, 'conflict', 'already-exists', 'not-found')) return false;
    throw error;
  }
}

function encoded(contents: CertificateContents, field: string): string {
  const { [field]: text = '' }: Readonly<Record<string, string>> = { ...contents };
  return Buffer.from(text).toString('base64');
}

function contentsOf(secret: Secret | undefined): CertificateContents | undefined {
  const textAt = (key: string): string => Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8');
  const { authorities, authorityKey, certificate, key } = FIELDS;
  const found = {
    authorities: textAt(authorities),
    authorityKey: textAt(authorityKey),
    certificate: textAt(certificate),
    key: textAt(key),
  };
  return Object.values(found).includes('') ? undefined : found;
}
