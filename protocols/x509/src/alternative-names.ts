import { isIP, isIPv6 } from 'node:net';

import { der, sequence } from './write-der.ts';

/** The tags of names of each kind. */
export const NAME_TAG = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const;

/** The names a server is reached by, and other names a certificate may carry. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
}

export const NO_NAMES: AlternativeNames = { dnsNames: [], ipAddresses: [], emailAddresses: [], uris: [] };

/** Sorts host names and addresses into what they are. */
export function hostNames(names: readonly string[]): AlternativeNames {
  const distinct = [...new Set(names)];
  return {
    ...NO_NAMES,
    dnsNames: distinct.filter((name) => isIP(name) === 0),
    ipAddresses: distinct.filter((name) => isIP(name) !== 0),
  };
}

/** The content of the extension; undefined when there is no name to put into it. */
export function writeAlternativeNames(names: AlternativeNames): Buffer | undefined {
  const parts = [
    ...names.dnsNames.map((name) => der(NAME_TAG.dns, Buffer.from(name, 'latin1'))),
    ...names.emailAddresses.map((name) => der(NAME_TAG.email, Buffer.from(name, 'latin1'))),
    ...names.uris.map((name) => der(NAME_TAG.uri, Buffer.from(name, 'latin1'))),
    ...names.ipAddresses.map((address) => der(NAME_TAG.ip, addressBytes(address))),
  ];
  return parts.length === 0 ? undefined : sequence(...parts);
}

function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = withoutDottedQuad(address).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const words = [...left, ...(tail === undefined ? [] : zeros), ...right].map((word) => Number.parseInt(word, 16));
  return Buffer.from(words.flatMap((word) => [Math.floor(word / 256), word % 256]));
}

/** `::ffff:1.2.3.4` as `::ffff:102:304`. */
function withoutDottedQuad(address: string): string {
  const colon = address.lastIndexOf(':');
  const quad = address.slice(colon + 1);
  if (!quad.includes('.')) return address;
  const [a = 0, b = 0, c = 0, d = 0] = quad.split('.').map(Number);
  return `${address.slice(0, colon + 1)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
