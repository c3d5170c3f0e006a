import { element, type XmlElement } from '@smalt/xml';

import { aliasElement } from '../device-alias.ts';
import { requireVolume } from '../disks/find-volume.ts';
import { deviceStep, type DomainInput, type DomainStep } from '../domain-step.ts';
import type { DomainVolume } from '../domain-volume.ts';
import { DomainXmlError } from '../domain-xml-error.ts';
import { virtioGuard } from '../shape/virtio-model.ts';

const QUEUE_SIZE = 1024;

/**
 * Directories that are shared with the guest by virtiofs. That lets the guest write to all of them as root: one that may only be read
 * is refused unless its path is read-only itself.
 */
export const filesystemsStep: DomainStep = deviceStep('filesystems', (input) =>
  (input.instance.spec.domain.devices.filesystems ?? []).map(({ name }, index) => filesystem(input, name, index)),
);

function filesystem(input: DomainInput, name: string, index: number): XmlElement {
  const field = `spec.domain.devices.filesystems[${index}].name`;
  const volume = requireVolume(input.context, name, field);
  const driver = { type: 'virtiofs', queue: QUEUE_SIZE, ...virtioGuard(input) };
  return element('filesystem', { type: 'mount', accessmode: 'passthrough' }, [
    element('driver', driver),
    element('source', place(volume, field)),
    element('target', { dir: name }),
    aliasElement('filesystem', name),
  ]);
}

function place({ name, source, isReadOnly }: DomainVolume, field: string): Readonly<Record<string, string>> {
  switch (source.kind) {
    case 'directory': {
      if (isReadOnly !== true || source.isMountedReadOnly === true) return { dir: source.path };
      const message = `the volume "${name}" may only be read, and this node shows it so that the guest could write to it`;
      throw new DomainXmlError('unsupported-by-node', message, { field });
    }
    case 'virtiofs-socket':
      return { socket: source.path };
    case 'file':
    case 'block': {
      const message = `the volume "${name}" is a disk, not a directory; name it in spec.domain.devices.disks instead`;
      throw new DomainXmlError('unsupported-by-node', message, { field });
    }
  }
}
