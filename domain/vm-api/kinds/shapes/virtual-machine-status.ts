import { atomicListOf, flag, int64, integer, keyedListOf, listOf, mapOf, of, shape, text, time } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { disk } from './disk.ts';
import { changedBlockTrackingStatus } from './virtual-machine-instance-status.ts';
import { dataVolumeSource, persistentVolumeClaimVolumeSource } from './volume.ts';
import { storageMigratedVolumeInfo } from './volume-status.ts';

const virtualMachineCondition: TSchema = shape({
  name: 'VirtualMachineCondition',
  description: 'A fact about the virtual machine.',
  required: ['status', 'type'],
  fields: {
    lastProbeTime: time('When it was last looked at.', { nullable: true }),
    lastTransitionTime: time('When the status last changed.', { nullable: true }),
    message: text('What happened, as a sentence.'),
    reason: text('Why the status is what it is, as one word.'),
    status: text('`True`, `False` or `Unknown`.'),
    type: text('What the condition is about.'),
  },
});

const controllerRevisionRef: TSchema = shape({
  name: 'ControllerRevisionRef',
  description: 'Names a ControllerRevision.',
  fields: {
    name: text('Its name.'),
  },
});

const instancetypeStatusRef: TSchema = shape({
  name: 'InstancetypeStatusRef',
  description: 'The instance type or preference that is in use.',
  fields: {
    controllerRevisionRef: of(controllerRevisionRef, 'The copy that is in use.'),
    inferFromVolume: text('The volume whose labels said which one.'),
    inferFromVolumeFailurePolicy: text('What happens when the volume does not say.'),
    kind: text('Its kind.'),
    name: text('Its name.'),
  },
});

const virtualMachineMemoryDumpRequest: TSchema = shape({
  name: 'VirtualMachineMemoryDumpRequest',
  description: "A dump of the guest's memory.",
  required: ['claimName', 'phase'],
  fields: {
    claimName: text('The claim it is written to.'),
    endTimestamp: time('When it was over.'),
    fileName: text('The file it is written to.'),
    message: text('What happened, as a sentence.'),
    phase: text('How far it is.'),
    remove: flag('Whether the claim is to be let go.'),
    startTimestamp: time('When it began.'),
  },
});

const virtualMachineStartFailure: TSchema = shape({
  name: 'VirtualMachineStartFailure',
  description: 'How often it could not be started.',
  fields: {
    consecutiveFailCount: integer('How often in a row.'),
    lastFailedVMIUID: text('The id of the instance that failed last.'),
    retryAfterTimestamp: time('When it is tried again.'),
  },
});

const virtualMachineStateChangeRequest: TSchema = shape({
  name: 'VirtualMachineStateChangeRequest',
  description: 'An order to start or stop.',
  required: ['action'],
  fields: {
    action: text('`Start` or `Stop`.'),
    data: mapOf(text(''), 'Further data of the order.'),
    uid: text('The id of the instance it is about.'),
  },
});

const hotplugVolumeSource: TSchema = shape({
  name: 'HotplugVolumeSource',
  description: 'What is plugged in.',
  fields: {
    dataVolume: of(dataVolumeSource, 'A DataVolume.'),
    persistentVolumeClaim: of(persistentVolumeClaimVolumeSource, 'A claim.'),
  },
});

const addVolumeOptions: TSchema = shape({
  name: 'AddVolumeOptions',
  description: 'A volume to plug in.',
  required: ['disk', 'name', 'volumeSource'],
  fields: {
    disk: of(disk, 'How the guest sees it.'),
    dryRun: atomicListOf(text(''), '`All`: only look whether it can be done.'),
    name: text('The name of the volume.'),
    volumeSource: of(hotplugVolumeSource, 'What is plugged in.'),
  },
});

const removeVolumeOptions: TSchema = shape({
  name: 'RemoveVolumeOptions',
  description: 'A volume to unplug.',
  required: ['name'],
  fields: {
    dryRun: atomicListOf(text(''), '`All`: only look whether it can be done.'),
    name: text('The name of the volume.'),
  },
});

const virtualMachineVolumeRequest: TSchema = shape({
  name: 'VirtualMachineVolumeRequest',
  description: 'An order to plug in or unplug a volume.',
  fields: {
    addVolumeOptions: of(addVolumeOptions, 'A volume to plug in.'),
    removeVolumeOptions: of(removeVolumeOptions, 'A volume to unplug.'),
  },
});

const volumeSnapshotStatus: TSchema = shape({
  name: 'VolumeSnapshotStatus',
  description: 'Whether a volume can be snapshotted.',
  required: ['enabled', 'name'],
  fields: {
    enabled: flag('Whether it can.'),
    name: text('The name of the volume.'),
    reason: text('Why it can or cannot.'),
  },
});

const volumeMigrationState: TSchema = shape({
  name: 'VolumeMigrationState',
  description: 'Volumes that move to other claims.',
  fields: {
    migratedVolumes: atomicListOf(storageMigratedVolumeInfo, 'The volumes.'),
  },
});

const volumeUpdateState: TSchema = shape({
  name: 'VolumeUpdateState',
  description: 'How far a change of volumes is.',
  fields: {
    volumeMigrationState: of(volumeMigrationState, 'Volumes that move to other claims.'),
  },
});

export const virtualMachineStatus: TSchema = shape({
  name: 'VirtualMachineStatus',
  description: 'What is known of a virtual machine.',
  fields: {
    changedBlockTracking: of(changedBlockTrackingStatus, 'Whether changed blocks are kept track of.', {
      nullable: true,
    }),
    conditions: keyedListOf({ item: virtualMachineCondition, keys: ['type'] }, 'What is the case with it.'),
    created: flag('Whether its instance exists.'),
    desiredGeneration: int64('The generation that is wanted.'),
    instancetypeRef: of(instancetypeStatusRef, 'The instance type that is in use.', { nullable: true }),
    memoryDumpRequest: of(virtualMachineMemoryDumpRequest, "A dump of the guest's memory.", { nullable: true }),
    observedGeneration: int64('The generation that the instance was made from.'),
    preferenceRef: of(instancetypeStatusRef, 'The preference that is in use.', { nullable: true }),
    printableStatus: text('Its state for people.', { default: 'Stopped' }),
    ready: flag('Whether its instance is ready.'),
    restoreInProgress: text('The restore that is going on.'),
    runStrategy: text('The run strategy that applies.'),
    snapshotInProgress: text('The snapshot that is being taken.'),
    startFailure: of(virtualMachineStartFailure, 'How often it could not be started.', { nullable: true }),
    stateChangeRequests: listOf(virtualMachineStateChangeRequest, 'Orders to start or stop.'),
    volumeRequests: atomicListOf(virtualMachineVolumeRequest, 'Orders to plug in or unplug volumes.'),
    volumeSnapshotStatuses: listOf(volumeSnapshotStatus, 'Whether its volumes can be snapshotted.'),
    volumeUpdateState: of(volumeUpdateState, 'How far a change of volumes is.'),
  },
});
