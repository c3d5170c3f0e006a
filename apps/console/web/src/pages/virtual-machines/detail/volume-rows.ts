import type { Volume } from '@smalt/vm-api';

import type { Machine } from '../machine.ts';

/** A volume of a machine, in words. */
export interface VolumeRow {
  readonly name: string;
  readonly source: string;
  /** How the guest sees it. */
  readonly bus: string;
  readonly state: string;
  /** Whether it was plugged in later, and can go again. */
  readonly canBeRemoved: boolean;
}

export function volumeRows({ virtualMachine, instance }: Machine): readonly VolumeRow[] {
  const spec = instance?.spec ?? virtualMachine?.spec.template.spec;
  const disks = new Map((spec?.domain.devices.disks ?? []).map((disk) => [disk.name, disk]));
  const statuses = new Map((instance?.status?.volumeStatus ?? []).map((status) => [status.name, status]));
  return (spec?.volumes ?? []).map((volume) => {
    const disk = disks.get(volume.name);
    const status = statuses.get(volume.name);
    const bus = disk?.disk?.bus ?? disk?.cdrom?.bus ?? disk?.lun?.bus;
    return {
      name: volume.name,
      source: sourceWords(volume),
      bus: [deviceWord(disk), bus].filter((word) => word !== undefined).join(', '),
      state: status?.message ?? status?.phase ?? (instance === undefined ? 'Not in use' : 'In use'),
      canBeRemoved: isHotplugged(volume),
    };
  });
}

function deviceWord(
  disk: { readonly cdrom?: unknown; readonly lun?: unknown; readonly disk?: unknown } | undefined,
): string {
  if (disk === undefined) return 'No disk';
  if (disk.cdrom !== undefined) return 'CD-ROM';
  return disk.lun === undefined ? 'Disk' : 'LUN';
}

function isHotplugged({ persistentVolumeClaim, dataVolume }: Volume): boolean {
  return persistentVolumeClaim?.hotpluggable === true || dataVolume?.hotpluggable === true;
}

/** Where a volume comes from, in words. */
export function sourceWords(volume: Volume): string {
  const { containerDisk, persistentVolumeClaim, dataVolume, emptyDisk, hostDisk, cloudInitNoCloud } = volume;
  if (containerDisk !== undefined) return `Image ${containerDisk.image}`;
  if (persistentVolumeClaim !== undefined) return `Claim ${persistentVolumeClaim.claimName}`;
  if (dataVolume !== undefined) return `Data volume ${dataVolume.name}`;
  if (emptyDisk !== undefined) return `Blank disk of ${emptyDisk.capacity}`;
  if (hostDisk !== undefined) return `File ${hostDisk.path} of the host`;
  if (cloudInitNoCloud !== undefined || volume.cloudInitConfigDrive !== undefined) return 'cloud-init';
  return Object.keys(volume).find((key) => key !== 'name') ?? '–';
}
