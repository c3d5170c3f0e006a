import type { XmlCursor } from '@smalt/xml';

import { DomainXmlError } from '../domain-xml-error.ts';

/** libvirt reports KiB whatever it was given; our own domains are in bytes. */
const BYTES_PER_UNIT: ReadonlyMap<string, bigint> = new Map([
  ['b', 1n],
  ['KiB', 1024n],
]);

/** An amount of memory in bytes. */
export function readAmount(cursor: XmlCursor): bigint {
  const unit = BYTES_PER_UNIT.get(cursor.attribute('unit') ?? 'KiB');
  const digits = /^\s*(\d+)\s*$/u.exec(cursor.requireText())?.[1];
  if (unit !== undefined && digits !== undefined) return BigInt(digits) * unit;
  throw new DomainXmlError('not-a-domain', `${cursor.path} is no amount of memory: "${cursor.text}"`);
}
