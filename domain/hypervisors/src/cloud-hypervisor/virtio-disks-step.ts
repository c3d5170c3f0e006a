import {
  aliasElement,
  bootOrderOf,
  deviceStep,
  type DomainInput,
  type DomainStep,
  type DomainVolume,
  DomainXmlError,
  requireVolume,
} from '@smalt/domain-xml';
import { element, type XmlElement } from '@smalt/xml';

/** Disks in the order they boot, for the firmware takes the first one. */
export const virtioDisksStep: DomainStep = deviceStep('virtio-disks', (input) => {
  const order = bootOrderOf(input);
  const disks = (input.instance.spec.domain.devices.disks ?? []).map((disk, index) => ({
    disk,
    field: `spec.domain.devices.disks[${index}]`,
    place: order('disk', disk.name) ?? 0,
  }));
  return disks
    .toSorted((left, right) => left.place - right.place)
    .map(({ disk, field, place }, index) => {
      const isReadOnly = disk.disk?.readonly === true;
      const volume = checked(requireVolume(input.context, disk.name, `${field}.name`), input, field);
      return diskElement({ volume, place, isReadOnly, target: `vd${String.fromCodePoint(FIRST_LETTER + index)}` });
    });
});

const FIRST_LETTER = 'a'.charCodeAt(0);
const MOST_DISKS = 26;

interface DiskParts {
  readonly volume: DomainVolume;
  readonly place: number;
  readonly isReadOnly: boolean;
  readonly target: string;
}

function diskElement({ volume, place, isReadOnly, target }: DiskParts): XmlElement {
  return element('disk', { type: 'file', device: 'disk' }, [
    element('driver', { type: volume.format }),
    // libvirt's driver knows files only; a block device is opened in the same way.
    element('source', { file: volume.source.path }),
    element('target', { dev: target, bus: 'virtio' }),
    isReadOnly || volume.isReadOnly === true ? element('readonly') : undefined,
    element('boot', { order: place }),
    aliasElement('disk', volume.name),
  ]);
}

function checked(volume: DomainVolume, { instance }: DomainInput, field: string): DomainVolume {
  const count = instance.spec.domain.devices.disks?.length ?? 0;
  const refusal = refuse(volume, count);
  if (refusal === undefined) return volume;
  throw new DomainXmlError('unsupported-by-node', refusal, { field });
}

function refuse({ name, source, backing }: DomainVolume, count: number): string | undefined {
  if (count > MOST_DISKS) return `cloud-hypervisor takes ${MOST_DISKS} disks at most; leave some out`;
  if (source.kind !== 'file' && source.kind !== 'block') {
    return `the volume "${name}" is a directory, which cloud-hypervisor cannot share; use a disk`;
  }
  return backing
    ? `the volume "${name}" is an overlay, which cloud-hypervisor cannot read; make a copy instead`
    : undefined;
}
