import { NAME_TAG, type AlternativeNames } from '@smalt/x509';

import { IdentityError } from '../identity-error.ts';
import { childrenOf, type DerValue } from './read-der.ts';

export function readAlternativeNames(extension: DerValue): AlternativeNames {
  const parts = childrenOf(extension);
  const textsOf = (tag: number): readonly string[] =>
    parts.filter((part) => part.tag === tag).map(({ content }) => content.toString('latin1'));
  return {
    dnsNames: textsOf(NAME_TAG.dns),
    emailAddresses: textsOf(NAME_TAG.email),
    uris: textsOf(NAME_TAG.uri),
    ipAddresses: parts.filter(({ tag }) => tag === NAME_TAG.ip).map(({ content }) => addressText(content)),
  };
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) {
    throw new IdentityError('invalid-certificate-request', 'an IP address in the subjectAltName has the wrong length');
  }
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
}
