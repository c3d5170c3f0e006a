import type { Disk } from '@smalt/vm-api';
import { element, type XmlElement } from '@smalt/xml';

import type { DomainVolume, VolumeBlockSize } from '../domain-volume.ts';
import { DomainXmlError } from '../domain-xml-error.ts';
import { isOn } from '../shape/is-on.ts';

/** The block sizes that the guest sees: its own wish, or those of what lies under the volume. */
export function blockSize(
  { blockSize: asked }: Disk,
  volume: DomainVolume | undefined,
  field: string,
): XmlElement | undefined {
  if (asked?.custom)
    return blockIo({
      logical: asked.custom.logical ?? 512,
      physical: asked.custom.physical ?? 512,
      discardGranularity: asked.custom.discardGranularity,
    });
  if (!isOn(asked?.matchVolume)) return undefined;
  if (volume?.blockSize) return blockIo(volume.blockSize);
  throw new DomainXmlError('unsupported-by-node', 'the block size of the volume is not known; use custom', {
    field: `${field}.blockSize.matchVolume`,
  });
}

function blockIo({ logical, physical, discardGranularity }: VolumeBlockSize): XmlElement {
  return element('blockio', {
    logical_block_size: logical,
    physical_block_size: physical,
    discard_granularity: discardGranularity,
  });
}
