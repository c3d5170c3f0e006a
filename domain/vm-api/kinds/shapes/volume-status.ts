import { atomicListOf, flag, int64, of, quantitiesByName, shape, text, time } from '@smalt/kind';
import type { TSchema } from 'typebox';

const persistentVolumeClaimInfo: TSchema = shape({
  name: 'PersistentVolumeClaimInfo',
  description: 'What is known of a claim.',
  fields: {
    accessModes: atomicListOf(text(''), 'How the volume is mountable.'),
    capacity: quantitiesByName('How large the volume is.'),
    claimName: text('The name of the claim.'),
    filesystemOverhead: text('The share of the space that the file system itself takes.', {
      pattern: '^(0(?:\\.\\d{1,3})?|1)$',
    }),
    preallocated: flag('Whether all space was taken at once.'),
    requests: quantitiesByName('What was asked for.'),
    volumeMode: text('`Filesystem` or `Block`.'),
  },
});

export const storageMigratedVolumeInfo: TSchema = shape({
  name: 'StorageMigratedVolumeInfo',
  description: 'A volume that moves to another claim.',
  required: ['volumeName'],
  fields: {
    destinationPVCInfo: of(persistentVolumeClaimInfo, 'The claim it moves to.'),
    sourcePVCInfo: of(persistentVolumeClaimInfo, 'The claim it moves from.'),
    volumeName: text('The name of the volume.'),
  },
});

const containerDiskInfo: TSchema = shape({
  name: 'ContainerDiskInfo',
  description: 'What is known of a container disk.',
  fields: {
    checksum: int64('The checksum of its image.', { minimum: 0, maximum: 4294967295 }),
  },
});

const hotplugVolumeStatus: TSchema = shape({
  name: 'HotplugVolumeStatus',
  description: 'What is known of a plugged-in volume.',
  fields: {
    attachPodName: text('The pod that holds it.'),
    attachPodUID: text('The id of the pod that holds it.'),
  },
});

const domainMemoryDumpInfo: TSchema = shape({
  name: 'DomainMemoryDumpInfo',
  description: 'What is known of a memory dump.',
  fields: {
    claimName: text('The claim it is written to.'),
    endTimestamp: time('When it was over.'),
    startTimestamp: time('When it began.'),
    targetFileName: text('The file it is written to.'),
  },
});

export const volumeStatus: TSchema = shape({
  name: 'VolumeStatus',
  description: 'What is known of a volume.',
  required: ['name', 'target'],
  fields: {
    containerDiskVolume: of(containerDiskInfo, 'What is known of a container disk.'),
    hotplugVolume: of(hotplugVolumeStatus, 'What is known of a plugged-in volume.'),
    memoryDumpVolume: of(domainMemoryDumpInfo, 'What is known of a memory dump.'),
    message: text('What happened, as a sentence.'),
    name: text('The name of the volume.'),
    persistentVolumeClaimInfo: of(persistentVolumeClaimInfo, 'What is known of its claim.'),
    phase: text('How far it is, such as `Ready`.'),
    reason: text('Why it is in that phase, as one word.'),
    size: int64('Its size in bytes.'),
    target: text('The name by which the guest sees it.'),
  },
});
