import type { KeyUsages } from '@smalt/x509';

import { IdentityError } from '../identity-error.ts';

/** The bit of each usage that stands in the key usage extension. */
const BITS: ReadonlyMap<string, number> = new Map([
  ['signing', 0],
  ['digital signature', 0],
  ['content commitment', 1],
  ['key encipherment', 2],
  ['data encipherment', 3],
  ['key agreement', 4],
  ['cert sign', 5],
  ['crl sign', 6],
  ['encipher only', 7],
  ['decipher only', 8],
]);

/** The identifier of each usage that stands in the extended key usage extension. */
const IDENTIFIERS: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['ipsec end system', '1.3.6.1.5.5.7.3.5'],
  ['ipsec tunnel', '1.3.6.1.5.5.7.3.6'],
  ['ipsec user', '1.3.6.1.5.5.7.3.7'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1'],
]);

/** What a certificate may be used for, from the words of the certificates API. */
export function keyUsages(words: readonly string[]): KeyUsages {
  const unknown = words.filter((word) => !BITS.has(word) && !IDENTIFIERS.has(word));
  if (unknown.length > 0) {
    const list = unknown.map((word) => `"${word}"`).join(' ');
    throw new IdentityError('signer-refused', `unrecognized usage values: [${list}]`);
  }
  return {
    bits: distinct(words.map((word) => BITS.get(word))).toSorted((left, right) => left - right),
    identifiers: distinct(words.map((word) => IDENTIFIERS.get(word))).toSorted(),
  };
}

function distinct<T>(values: readonly (T | undefined)[]): readonly T[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}
