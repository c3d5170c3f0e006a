import { element, type XmlElement } from '@smalt/xml';

import { DomainXmlError } from '../domain-xml-error.ts';

const PCI_ADDRESS = /^([\da-f]{4}):([\da-f]{2}):([01][\da-f])\.([0-7])$/iu;

/** The address of a PCI device such as `0000:81:01.0`; `field` is where it was written. */
export function pciAddress(text: string, field: string): XmlElement {
  return element('address', { type: 'pci', ...parts(text, field) });
}

/** The address of a PCI device of the host. */
export function hostPciAddress(text: string, field: string): XmlElement {
  return element('address', parts(text, field));
}

function parts(text: string, field: string): Readonly<Record<string, string>> {
  const [, domain, bus, slot, number] = PCI_ADDRESS.exec(text) ?? [];
  if (domain !== undefined) {
    return { domain: `0x${domain}`, bus: `0x${bus}`, slot: `0x${slot}`, function: `0x${number}` };
  }
  const message = `"${text}" is no PCI address; write it like 0000:81:01.0`;
  throw new DomainXmlError('invalid-field', message, { field });
}
