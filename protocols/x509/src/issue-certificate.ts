import { createHash, randomBytes, sign, type KeyObject } from 'node:crypto';

import { writeAlternativeNames, type AlternativeNames } from './alternative-names.ts';
import type { KeyUsages } from './key-usages.ts';
import {
  bitString,
  der,
  objectIdentifier,
  octetString,
  positiveInteger,
  sequence,
  tagged,
  TAG,
  time,
  trueValue,
} from './write-der.ts';

/** What a new certificate is to say. */
export interface CertificateContent {
  /** In DER form, see `writeSubject`. */
  readonly subject: Buffer;
  /** The public key in DER form (SubjectPublicKeyInfo). */
  readonly publicKey: Buffer;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly isAuthority: boolean;
  readonly usages: KeyUsages;
  readonly names: AlternativeNames;
}

/** Who signs: an authority with a key on an elliptic curve. */
export interface CertificateIssuer {
  /** Its subject in DER form. */
  readonly subject: Buffer;
  readonly publicKey: Buffer;
  readonly privateKey: KeyObject;
}

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';

/** Makes a certificate and returns it in PEM form. */
export function issueCertificate(content: CertificateContent, issuer: CertificateIssuer): string {
  const algorithm = sequence(objectIdentifier(ECDSA_WITH_SHA256));
  const signed = sequence(
    tagged(0, positiveInteger(Buffer.from([2]))),
    positiveInteger(randomBytes(16)),
    algorithm,
    issuer.subject,
    sequence(time(content.notBefore), time(content.notAfter)),
    content.subject,
    content.publicKey,
    tagged(3, sequence(...extensions(content, issuer))),
  );
  const signature = sign('sha256', signed, issuer.privateKey);
  return toPem('CERTIFICATE', sequence(signed, algorithm, bitString(signature)));
}

export function toPem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

function extensions(content: CertificateContent, issuer: CertificateIssuer): readonly Buffer[] {
  const { bits, identifiers } = content.usages;
  const names = writeAlternativeNames(content.names);
  const constraints = content.isAuthority ? sequence(trueValue()) : sequence();
  return [
    ...(bits.length === 0 ? [] : [extension('2.5.29.15', usageBits(bits), true)]),
    ...(identifiers.length === 0 ? [] : [extension('2.5.29.37', sequence(...identifiers.map(objectIdentifier)))]),
    extension('2.5.29.19', constraints, true),
    extension('2.5.29.14', octetString(keyIdentifier(content.publicKey))),
    extension('2.5.29.35', sequence(der(0x80, keyIdentifier(issuer.publicKey)))),
    // A certificate without a subject is known by these names alone, and then nobody may pass over them.
    ...(names === undefined ? [] : [extension('2.5.29.17', names, content.subject.length === 2)]),
  ];
}

function extension(identifier: string, content: Buffer, isCritical = false): Buffer {
  return sequence(objectIdentifier(identifier), ...(isCritical ? [trueValue()] : []), octetString(content));
}

function usageBits(bits: readonly number[]): Buffer {
  const last = bits.at(-1) ?? 0;
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const bit of bits) {
    const index = Math.floor(bit / 8);
    bytes[index] = (bytes[index] ?? 0) + 2 ** (7 - (bit % 8));
  }
  return der(TAG.bitString, Buffer.from([7 - (last % 8)]), bytes);
}

function keyIdentifier(publicKey: Buffer): Buffer {
  return createHash('sha256').update(publicKey).digest().subarray(0, 20);
}
