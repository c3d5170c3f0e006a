import { createPublicKey, verify, type KeyObject } from 'node:crypto';

import { NO_NAMES, TAG, type AlternativeNames, type Subject } from '@smalt/x509';

import { IdentityError } from '../identity-error.ts';
import { readAlternativeNames } from './alternative-names.ts';
import { childrenOf, expectTag, readBitString, readDer, readObjectIdentifier, type DerValue } from './read-der.ts';
import { readSubject } from './subject.ts';

/** A request for a certificate whose signature was checked: the sender holds the key it names. */
export interface CertificateRequest {
  readonly subject: Subject;
  /** In DER form, as it was sent. */
  readonly rawSubject: Buffer;
  readonly publicKey: Buffer;
  readonly names: AlternativeNames;
}

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const ALTERNATIVE_NAMES = '2.5.29.17';
const PEM = /^\s*-----BEGIN ([A-Z0-9 ]+)-----\s*([A-Za-z0-9+/=\s]+?)-----END \1-----\s*$/;

/** The hash of each signature algorithm that is accepted; null where the algorithm brings its own. */
const HASHES: ReadonlyMap<string, string | null> = new Map([
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.3.101.112', null],
]);

/** Reads a PKCS#10 request in PEM form and checks that it was signed with the key it names. */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const [, label, base64 = ''] = PEM.exec(pem) ?? [];
  if (label !== 'CERTIFICATE REQUEST') throw invalid('PEM block type must be CERTIFICATE REQUEST');
  const request = expectTag(readDer(Buffer.from(base64, 'base64')), TAG.sequence, 'what was sent');
  const [content, algorithm, signature] = childrenOf(request);
  const signed = expectTag(content, TAG.sequence, 'the request');
  const [, subject, key, attributes] = childrenOf(signed);
  const rawSubject = expectTag(subject, TAG.sequence, 'the subject');
  const publicKey = expectTag(key, TAG.sequence, 'the public key').raw;
  checkSignature(signed.raw, publicKey, {
    algorithm: expectTag(algorithm, TAG.sequence, 'the signature algorithm'),
    signature: readBitString(expectTag(signature, TAG.bitString, 'the signature')),
  });
  return {
    subject: readSubject(rawSubject),
    rawSubject: rawSubject.raw,
    publicKey,
    names: attributes === undefined ? NO_NAMES : requestedNames(attributes),
  };
}

function checkSignature(
  signed: Buffer,
  publicKey: Buffer,
  given: { readonly algorithm: DerValue; readonly signature: Buffer },
): void {
  const [identifier] = childrenOf(given.algorithm);
  const name = readObjectIdentifier(expectTag(identifier, TAG.objectIdentifier, 'the signature algorithm'));
  const hash = HASHES.get(name);
  if (hash === undefined) throw invalid(`the signature algorithm ${name} is not supported`);
  if (!verifies(hash, signed, readPublicKey(publicKey), given.signature)) {
    throw invalid('unable to verify certificate request signature');
  }
}

function verifies(hash: string | null, signed: Buffer, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify(hash, signed, key, signature);
  } catch (cause) {
    throw invalid('unable to verify certificate request signature', { cause });
  }
}

function readPublicKey(publicKey: Buffer): KeyObject {
  try {
    return createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
  } catch (cause) {
    throw invalid('the public key cannot be read', { cause });
  }
}

function requestedNames(attributes: DerValue): AlternativeNames {
  for (const attribute of childrenOf(attributes)) {
    const [type, values] = childrenOf(attribute);
    if (type === undefined || values === undefined || readObjectIdentifier(type) !== EXTENSION_REQUEST) continue;
    const [list] = childrenOf(values);
    for (const extension of list === undefined ? [] : childrenOf(list)) {
      const parts = childrenOf(extension);
      const [identifier] = parts;
      if (identifier === undefined || readObjectIdentifier(identifier) !== ALTERNATIVE_NAMES) continue;
      const content = expectTag(parts.at(-1), TAG.octetString, 'the subjectAltName');
      return readAlternativeNames(readDer(content.content));
    }
  }
  return NO_NAMES;
}

function invalid(message: string, options?: ErrorOptions): IdentityError {
  return new IdentityError('invalid-certificate-request', message, options);
}
