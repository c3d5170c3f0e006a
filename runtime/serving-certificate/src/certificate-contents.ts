import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

import { hostNames, issueCertificate, NO_NAMES, writeSubject } from '@smalt/x509';

/** What the Secret holds, all of it PEM. */
export interface CertificateContents {
  /** The authorities that clients have to trust, the newest first. */
  readonly authorities: string;
  readonly authorityKey: string;
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateWishes {
  /** The service whose certificate it is: the common name in it, and with `-ca` that of its authority. It never changes. */
  readonly owner: string;
  /** The names and addresses that callers reach it by. */
  readonly names: readonly string[];
  readonly now: Date;
  /** A peer calls others by the same certificate. A server, which is what it is by itself, is only called. */
  readonly use?: 'server' | 'peer';
}

const DAY_MS = 86_400_000;
const BACKDATE_MS = 300_000;
const AUTHORITY_DAYS = 3_650;
const AUTHORITY_LEFT_DAYS = 365;
const SERVING_DAYS = 90;
const SERVING_LEFT_DAYS = 30;
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const USAGES = {
  server: { bits: [0], identifiers: [SERVER_AUTHENTICATION] },
  // libvirt refuses one that may not encipher keys, although nothing does that with these.
  peer: { bits: [0, 2], identifiers: [SERVER_AUTHENTICATION, CLIENT_AUTHENTICATION] },
} as const;
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;

/** What has to be made anew. */
export type CertificateDecision = 'keep' | 'renew-certificate' | 'renew-authority';

/** Looks whether what there is can still be used, long enough before it cannot. */
export function decideCertificate(
  found: CertificateContents | undefined,
  wishes: CertificateWishes,
): CertificateDecision {
  if (found === undefined) return 'renew-authority';
  const { names, now } = wishes;
  try {
    const authority = new X509Certificate(found.authorities);
    const certificate = new X509Certificate(found.certificate);
    const isAuthorityGood = authority.checkPrivateKey(createPrivateKey(found.authorityKey));
    if (!isAuthorityGood || daysLeft(authority, now) < AUTHORITY_LEFT_DAYS) return 'renew-authority';
    const isGood =
      certificate.checkPrivateKey(createPrivateKey(found.key)) &&
      certificate.verify(authority.publicKey) &&
      names.every((name) => isFor(certificate, name)) &&
      daysLeft(certificate, now) >= SERVING_LEFT_DAYS;
    return isGood ? 'keep' : 'renew-certificate';
  } catch {
    // What cannot be read was written by nobody who knows better: it is replaced.
    return 'renew-authority';
  }
}

/** Makes what was decided. A new authority stands beside the old one, whom clients trust for a while yet. */
export function renewCertificate(
  found: CertificateContents | undefined,
  decision: Exclude<CertificateDecision, 'keep'>,
  wishes: CertificateWishes,
): CertificateContents {
  const before = found?.authorities.match(PEM)?.[0];
  if (decision === 'renew-certificate' && found !== undefined) {
    return { ...found, ...servingCertificate(found.authorityKey, wishes) };
  }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const authorityKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const own = authorityOf(authorityKey, wishes);
  const authority = issueCertificate(
    {
      subject: own.subject,
      publicKey: own.publicKey,
      names: NO_NAMES,
      isAuthority: true,
      usages: { bits: [0, 5], identifiers: [] },
      ...times(wishes.now, AUTHORITY_DAYS),
    },
    own,
  );
  return { authorities: `${authority}${before ?? ''}`, authorityKey, ...servingCertificate(authorityKey, wishes) };
}

function servingCertificate(
  authorityKey: string,
  wishes: CertificateWishes,
): Pick<CertificateContents, 'certificate' | 'key'> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = {
    subject: writeSubject({ commonName: wishes.owner, organizations: [] }),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    names: hostNames(wishes.names),
    isAuthority: false,
    usages: USAGES[wishes.use ?? 'server'],
    ...times(wishes.now, SERVING_DAYS),
  };
  const certificate = issueCertificate(content, authorityOf(authorityKey, wishes));
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function authorityOf(key: string, { owner }: CertificateWishes): Parameters<typeof issueCertificate>[1] {
  const privateKey = createPrivateKey(key);
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return { subject: writeSubject({ commonName: `${owner}-ca`, organizations: [] }), publicKey, privateKey };
}

function times(now: Date, days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(now.getTime() - BACKDATE_MS), notAfter: new Date(now.getTime() + days * DAY_MS) };
}

function isFor(certificate: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
}

function daysLeft({ validTo }: X509Certificate, now: Date): number {
  return (Date.parse(validTo) - now.getTime()) / DAY_MS;
}
