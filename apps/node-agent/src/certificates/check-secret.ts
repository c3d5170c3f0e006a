import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';

import type { CheckedMaterial, KeyMaterial } from './key-material.ts';
import type { Secret } from './secret.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const LONGEST_CHAIN = 8;
/** The purposes a certificate may be limited to; ours is shown to clients and, when migrating, to other hosts. */
const PURPOSES = [
  ['1.3.6.1.5.5.7.3.1', 'server auth'],
  ['1.3.6.1.5.5.7.3.2', 'client auth'],
] as const;

export type SecretVerdict =
  | ({ readonly kind: 'good' } & CheckedMaterial)
  /** `why` names the key of the Secret and holds nothing of its value. */
  | { readonly kind: 'bad'; readonly why: string };

export interface CheckOptions {
  /** The names and addresses that the certificate must be made out to. */
  readonly hostNames: readonly string[];
  readonly now: Date;
}

/** Says whether a daemon could work with what the Secret holds, and if not, why. Touches nothing. */
export function checkSecret(secret: Pick<Secret, 'data'>, options: CheckOptions): SecretVerdict {
  const material = readMaterial(secret);
  if (typeof material === 'string') return bad(material);
  const authorities = readCertificates(material.authority);
  if (typeof authorities === 'string') return bad(`ca.crt ${authorities}`);
  const chain = readCertificates(material.certificate);
  if (typeof chain === 'string') return bad(`tls.crt ${chain}`);
  const [leaf] = chain;
  if (leaf === undefined) return bad('tls.crt holds no certificate');
  const why =
    keyProblem(leaf, material.key) ??
    dateProblem('tls.crt', leaf, options.now) ??
    purposeProblem(leaf) ??
    nameProblem(leaf, options.hostNames) ??
    chainProblem(chain, authorities, options.now);
  return why === undefined ? { kind: 'good', material, leaf } : bad(why);
}

function readMaterial({ data = {} }: Pick<Secret, 'data'>): KeyMaterial | string {
  const missing = ['ca.crt', 'tls.crt', 'tls.key'].find((name) => (data[name] ?? '') === '');
  if (missing !== undefined) return `missing data for secret key ${missing}`;
  return { authority: decode(data['ca.crt']), certificate: decode(data['tls.crt']), key: decode(data['tls.key']) };
}

function readCertificates(pem: Buffer): readonly X509Certificate[] | string {
  const texts = pem.toString('latin1').match(CERTIFICATE) ?? [];
  if (texts.length === 0) return 'holds no certificate in PEM form';
  const read = texts.map(readCertificate);
  const certificates = read.filter((each) => each !== undefined);
  return certificates.length === read.length ? certificates : 'holds a damaged certificate';
}

function readCertificate(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined; // What is wrong with its bytes helps nobody; the caller says which key of the Secret it is.
  }
}

function readKey(pem: Buffer): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined; // The cause could quote the key.
  }
}

function keyProblem(leaf: X509Certificate, pem: Buffer): string | undefined {
  const key = readKey(pem);
  if (key === undefined) return 'tls.key holds no private key in PEM form, or one with a passphrase';
  return leaf.checkPrivateKey(key) ? undefined : 'tls.key is not the key of the certificate in tls.crt';
}

function dateProblem(field: string, certificate: X509Certificate, now: Date): string | undefined {
  const { validFromDate, validToDate } = certificate;
  if (now < validFromDate) return `the certificate in ${field} is not valid before ${validFromDate.toISOString()}`;
  if (now >= validToDate) return `the certificate in ${field} has expired at ${validToDate.toISOString()}`;
  return undefined;
}

function purposeProblem({ keyUsage }: X509Certificate): string | undefined {
  const purposes: readonly string[] | undefined = keyUsage;
  // Without the extension it may be used for everything.
  if (purposes === undefined || purposes.length === 0) return undefined;
  const missing = PURPOSES.find(([identifier]) => !purposes.includes(identifier));
  return missing && `the certificate in tls.crt may not be used for ${missing[1]}: add it to the usages`;
}

function nameProblem(leaf: X509Certificate, hostNames: readonly string[]): string | undefined {
  const missing = hostNames.find((name) => !isMadeOutTo(leaf, name));
  return missing && `the certificate in tls.crt is not made out to ${missing}, but to ${namesOf(leaf)}`;
}

function isMadeOutTo(leaf: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? leaf.checkHost(name) : leaf.checkIP(name)) !== undefined;
}

function namesOf(leaf: X509Certificate): string {
  return leaf.subjectAltName ?? leaf.subject.replaceAll('\n', ', ');
}

function chainProblem(
  chain: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  now: Date,
): string | undefined {
  let current = chain[0];
  for (let length = 0; current !== undefined && length < LONGEST_CHAIN; length++) {
    const anchor = authorities.find((authority) => isSignedBy(current, authority));
    if (anchor !== undefined) return dateProblem('ca.crt', anchor, now);
    const next: X509Certificate | undefined = chain.slice(1).find((each) => isSignedBy(current, each));
    const problem = next && dateProblem('tls.crt', next, now);
    if (problem !== undefined) return problem;
    current = next;
  }
  return 'the certificate in tls.crt does not lead to an authority in ca.crt';
}

function isSignedBy(certificate: X509Certificate | undefined, authority: X509Certificate): boolean {
  return (
    certificate !== undefined &&
    authority.ca &&
    certificate.checkIssued(authority) &&
    certificate.verify(authority.publicKey)
  );
}

function decode(text: string | undefined): Buffer {
  return Buffer.from(text ?? '', 'base64');
}

function bad(why: string): SecretVerdict {
  return { kind: 'bad', why };
}
