import type { Volume } from '@smalt/vm-api';

import { invalid, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

/** Where the launcher keeps what is its own. */
const RESERVED_PATHS = ['/var/run/kubevirt', '/var/run/libvirt'] as const;

/**
 * Each volume of an instance is shown to the guest as a disk or a file system. The paths are those that clients know;
 * they put volumes below the domain. Templates are not asked: defaulting adds the disks.
 */
export function validateVolumeDisks({ path, spec }: SpecScope): readonly Cause[] {
  const { disks = [], filesystems = [] } = spec.domain.devices;
  const diskNames = new Set(disks.map(({ name }) => name));
  const filesystemNames = new Set(filesystems.map(({ name }) => name));
  return (spec.volumes ?? []).flatMap((volume, index) => {
    if (volume.memoryDump !== undefined) return [];
    const field = `${path}.domain.volumes[${index}]`;
    const hasDisk = diskNames.has(volume.name);
    const hasFilesystem = filesystemNames.has(volume.name);
    const advice = `Add a disk or a file system named ${volume.name}, or remove ${path}.volumes[${index}].`;
    return [
      ...(hasDisk || hasFilesystem
        ? []
        : [invalid(`${field}.name`, `${field}.name '${volume.name}' not found.`, advice)]),
      ...validateContainerPath(volume, field, { hasDisk, hasFilesystem }),
    ];
  });
}

function validateContainerPath(
  { name, containerPath }: Volume,
  field: string,
  { hasDisk, hasFilesystem }: { readonly hasDisk: boolean; readonly hasFilesystem: boolean },
): readonly Cause[] {
  if (containerPath === undefined) return [];
  const reserved = RESERVED_PATHS.find((prefix) => containerPath.path.startsWith(prefix));
  const noDisk = `ContainerPath volume '${name}' must be mapped to a filesystem, not a disk`;
  const filesystem = `ContainerPath volume '${name}' must have a matching filesystem defined in spec.domain.devices.filesystems`;
  return [
    ...(hasDisk ? [invalid(field, noDisk)] : []),
    ...(hasFilesystem ? [] : [invalid(field, filesystem)]),
    ...(reserved === undefined
      ? []
      : [
          invalid(
            `${field}.containerPath.path`,
            `ContainerPath volume '${name}' uses reserved path prefix '${reserved}'`,
          ),
        ]),
  ];
}
