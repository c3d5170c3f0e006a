import { element, type AttributeValue, type XmlElement } from '@smalt/xml';

import type { BackingImage, DomainVolume } from '../domain-volume.ts';
import { DomainXmlError } from '../domain-xml-error.ts';

export interface DiskSource {
  /** The `type` of the disk element. */
  readonly type: 'file' | 'block';
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

/** Where the bytes of a disk are. Throws `unsupported-by-node` for a volume that is a directory. */
export function diskSource({ name, source }: DomainVolume, field: string): DiskSource {
  switch (source.kind) {
    case 'file':
      return { type: 'file', attributes: { file: source.path } };
    case 'block':
      return { type: 'block', attributes: { dev: source.path } };
    case 'directory':
    case 'virtiofs-socket': {
      const message = `the volume "${name}" is a directory, not a disk; name it in spec.domain.devices.filesystems instead`;
      throw new DomainXmlError('unsupported-by-node', message, { field });
    }
  }
}

/** What lies under an overlay, all the way down; told, so that libvirt need not open each image to find out. */
export function backingStore(backing: BackingImage | undefined): XmlElement | undefined {
  if (!backing) return undefined;
  const { source, format } = backing;
  const place = source.kind === 'file' ? { file: source.path } : { dev: source.path };
  return element('backingStore', { type: source.kind }, [
    element('format', { type: format }),
    element('source', place),
    backing.backing ? backingStore(backing.backing) : element('backingStore'),
  ]);
}
