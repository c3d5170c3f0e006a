import { parseXml, type XmlElement } from '@smalt/xml';

import type { DomainTotals, DomainUse } from './domain-use.ts';
import type { GuestShape } from './guest-part.ts';
import type { HostCapabilities } from './host-capabilities.ts';
import { ownText } from './own-text.ts';
import { placeGuest } from './place-guest.ts';
import { readGuestShape } from './read-guest-shape.ts';

export interface ReadDomainUseOptions {
  /** Where the domain is. If this changes, what was read for the old one is void. */
  readonly host: HostCapabilities;
  /** Stands in for what the XML does not tell. */
  readonly totals?: DomainTotals | undefined;
}

/**
 * Reads what a domain takes of its host. Counted are `<memory>`, which the guest can claim at any time whatever its
 * balloon, and the vCPUs that are plugged in (`current`, where it is less than the maximum): the others cannot run, and
 * as with `<maxMemory>` plugging them in is a new decision. Never throws: what is odd costs precision and gives a note.
 */
export function readDomainUse(xml: string, options: ReadDomainUseOptions): DomainUse {
  const notes = new Set<string>();
  const root = readRoot(xml, notes);
  const shape = root ? readGuestShape(root, options.totals, notes) : shapeless(options.totals);
  const cells = placeGuest(shape, options.host, notes);
  return { memoryKiB: shape.memoryKiB, vcpus: shape.vcpus, cells, notes: [...notes] };
}

function readRoot(xml: string, notes: Set<string>): XmlElement | undefined {
  try {
    const { root } = parseXml(xml);
    if (root.name === 'domain') return root;
    notes.add(`the document is a ${ownText(root.name)}, not a domain`);
  } catch (error) {
    notes.add(`the XML cannot be read: ${ownText(String(error))}`);
  }
  return undefined;
}

function shapeless({ memoryKiB, vcpus }: DomainTotals = { memoryKiB: 0, vcpus: 0 }): GuestShape {
  return { memoryKiB, vcpus, parts: [{ memoryKiB, nodes: [], vcpus: [{ count: vcpus, cpuset: undefined }] }] };
}
