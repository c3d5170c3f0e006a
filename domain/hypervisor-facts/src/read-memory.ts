import { attribute, textContent, type XmlElement } from '@smalt/xml';

const POWERS = 'kmgtpe';

/** The amount in an element such as `<memory unit='MiB'>512</memory>`, in KiB. `undefined` if it cannot be read. */
export function readMemoryOf(element: XmlElement): number | undefined {
  return readMemoryKiB(textContent(element), attribute(element, 'unit'));
}

/**
 * An amount of memory in KiB, rounded up to whole ones as libvirt does. Units are those that libvirt takes, in any case;
 * none at all is KiB. `undefined` if number or unit cannot be read.
 */
export function readMemoryKiB(amount: string, unit: string = ''): number | undefined {
  const scale = bytesPer(unit.toLowerCase());
  const digits = amount.trim();
  if (scale === undefined || !/^\d{1,20}$/.test(digits)) return undefined;
  const kib = (BigInt(digits) * scale + 1023n) / 1024n;
  return kib > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(kib);
}

function bytesPer(unit: string): bigint | undefined {
  if (unit === '') return 1024n;
  if (unit === 'b' || unit === 'byte' || unit === 'bytes') return 1n;
  const [, letter, tail] = /^([kmgtpe])(ib|b|)$/.exec(unit) ?? [];
  if (letter === undefined) return undefined;
  return (tail === 'b' ? 1000n : 1024n) ** BigInt(POWERS.indexOf(letter) + 1);
}
