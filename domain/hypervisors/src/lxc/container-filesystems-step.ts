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
import type { Disk } from '@smalt/vm-api';
import { element, type XmlElement } from '@smalt/xml';

/**
 * What a machine would boot from is the container's root. Other disks are mounted below `/volumes`, media for
 * cloud-init where it looks for them without a drive, directories below `/shared`.
 */
export const containerFilesystemsStep: DomainStep = deviceStep('container-filesystems', (input) => {
  const { filesystems = [] } = input.instance.spec.domain.devices;
  return [
    ...sortedDisks(input).map(({ disk, field }, index) => {
      const volume = requireVolume(input.context, disk.name, `${field}.name`);
      const directory = index === 0 ? '/' : mountPoint(disk.name, input);
      return filesystem({
        volume,
        directory,
        isReadOnly: disk.disk?.readonly === true,
        alias: aliasElement('disk', disk.name),
      });
    }),
    ...filesystems.map(({ name }, index) => {
      const volume = requireVolume(input.context, name, `spec.domain.devices.filesystems[${index}].name`);
      return filesystem({
        volume,
        directory: `/shared/${name}`,
        isReadOnly: false,
        alias: aliasElement('filesystem', name),
      });
    }),
  ];
});

function sortedDisks(input: DomainInput): readonly { readonly disk: Disk; readonly field: string }[] {
  const order = bootOrderOf(input);
  const disks = (input.instance.spec.domain.devices.disks ?? []).map((disk, index) => ({
    disk,
    field: `spec.domain.devices.disks[${index}]`,
    place: order('disk', disk.name) ?? Number.MAX_SAFE_INTEGER,
  }));
  if (disks.length > 0) return disks.toSorted((left, right) => left.place - right.place);
  throw new DomainXmlError('missing-field', 'a container needs a volume for its root; add a disk', {
    field: 'spec.domain.devices.disks',
  });
}

function mountPoint(name: string, { instance }: DomainInput): string {
  const source = instance.spec.volumes?.find((volume) => volume.name === name);
  if (source?.cloudInitNoCloud) return '/var/lib/cloud/seed/nocloud';
  if (source?.cloudInitConfigDrive) return '/var/lib/cloud/seed/config_drive';
  return `/volumes/${name}`;
}

interface FilesystemParts {
  readonly volume: DomainVolume;
  readonly directory: string;
  readonly isReadOnly: boolean;
  readonly alias: XmlElement;
}

function filesystem({ volume, directory, isReadOnly, alias }: FilesystemParts): XmlElement {
  const { type, source, driver } = sourceOf(volume);
  return element('filesystem', { type, accessmode: 'passthrough' }, [
    driver,
    element('source', source),
    element('target', { dir: directory }),
    isReadOnly || volume.isReadOnly === true ? element('readonly') : undefined,
    alias,
  ]);
}

interface FilesystemSource {
  readonly type: 'mount' | 'file' | 'block';
  readonly source: Readonly<Record<string, string>>;
  readonly driver?: XmlElement;
}

function sourceOf({ source, format }: DomainVolume): FilesystemSource {
  switch (source.kind) {
    case 'directory':
    case 'virtiofs-socket':
      return { type: 'mount', source: { dir: source.path } };
    case 'file':
      // A loop device shows raw images only.
      return {
        type: 'file',
        source: { file: source.path },
        driver: element('driver', { type: format === 'raw' ? 'loop' : 'nbd', format }),
      };
    case 'block':
      return { type: 'block', source: { dev: source.path } };
  }
}
