import {
  atomicListOf,
  flag,
  int32,
  int64,
  keyedListOf,
  listOf,
  mapOf,
  of,
  quantity,
  shape,
  text,
  time,
} from '@smalt/kind';
import type { TSchema } from 'typebox';

import { cpuTopology } from './cpu-and-memory.ts';
import { machine } from './domain.ts';
import { virtualMachineInstanceMigrationState } from './migration-state.ts';
import { storageMigratedVolumeInfo, volumeStatus } from './volume-status.ts';

const virtualMachineInstanceCondition: TSchema = shape({
  name: 'VirtualMachineInstanceCondition',
  description: 'A fact about the instance.',
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

const virtualMachineInstanceGuestOSInfo: TSchema = shape({
  name: 'VirtualMachineInstanceGuestOSInfo',
  description: 'The operating system of the guest, by its agent.',
  fields: {
    id: text('The id, such as `fedora`.'),
    kernelRelease: text('The release of the kernel.'),
    kernelVersion: text('The version of the kernel, with its build.'),
    machine: text('The architecture.'),
    name: text('The name.'),
    prettyName: text('Name and version for people.'),
    version: text('The version for people.'),
    versionId: text('The version.'),
  },
});

const virtualMachineInstanceNetworkInterface: TSchema = shape({
  name: 'VirtualMachineInstanceNetworkInterface',
  description: 'What is known of an interface.',
  fields: {
    infoSource: text('Where this is known from: `domain`, `guest-agent`, `multus-status`, or several.'),
    interfaceName: text('Its name in the guest.'),
    ipAddress: text('Its first address.'),
    ipAddresses: listOf(text(''), 'All of its addresses.'),
    linkState: text('`up` or `down`.'),
    mac: text('Its hardware address.'),
    name: text('The name of the network.'),
    podInterfaceName: text('Its name in the launcher.'),
    queueCount: int32('How many queues it has.'),
  },
});

const initrdInfo: TSchema = shape({
  name: 'InitrdInfo',
  description: 'What is known of the initial RAM disk.',
  fields: {
    checksum: int64('Its checksum.', { minimum: 0, maximum: 4294967295 }),
  },
});

const kernelInfo: TSchema = shape({
  name: 'KernelInfo',
  description: 'What is known of the kernel.',
  fields: {
    checksum: int64('Its checksum.', { minimum: 0, maximum: 4294967295 }),
  },
});

const kernelBootStatus: TSchema = shape({
  name: 'KernelBootStatus',
  description: 'What the guest was booted with.',
  fields: {
    initrdInfo: of(initrdInfo, 'The initial RAM disk.'),
    kernelInfo: of(kernelInfo, 'The kernel.'),
  },
});

const memoryStatus: TSchema = shape({
  name: 'MemoryStatus',
  description: 'The memory of the guest.',
  fields: {
    guestAtBoot: quantity('How much it had at the start.'),
    guestCurrent: quantity('How much it has.'),
    guestRequested: quantity('How much it is to have.'),
    memoryOverhead: quantity('How much was set aside beside it.'),
  },
});

const virtualMachineInstancePhaseTransitionTimestamp: TSchema = shape({
  name: 'VirtualMachineInstancePhaseTransitionTimestamp',
  description: 'When a phase began.',
  fields: {
    phase: text('The phase.'),
    phaseTransitionTimestamp: time('When it began.'),
  },
});

const topologyHints: TSchema = shape({
  name: 'TopologyHints',
  description: 'What later hosts must offer.',
  fields: {
    tscFrequency: int64('The frequency of the time stamp counter, in Hz.'),
  },
});

const virtualMachineInstanceBackupVolumeInfo: TSchema = shape({
  name: 'VirtualMachineInstanceBackupVolumeInfo',
  description: 'A volume in a backup.',
  required: ['volumeName'],
  fields: {
    dataEndpoint: text('Where its data can be read from. Older releases write it.'),
    diskTarget: text('The name by which the guest sees it. Older releases write it.'),
    mapEndpoint: text('Where the list of its changed blocks can be read from. Older releases write it.'),
    volumeName: text('The name of the volume.'),
  },
});

const virtualMachineInstanceBackupStatus: TSchema = shape({
  name: 'VirtualMachineInstanceBackupStatus',
  description: 'How far a backup is.',
  fields: {
    backupMsg: text('What happened, as a sentence.'),
    backupName: text('The name of the backup.'),
    checkpointName: text('The checkpoint that the next backup starts from.'),
    completed: flag('Whether it is over.'),
    endTimestamp: time('When it was over.'),
    failed: flag('Whether it failed.'),
    quiesceStatus: text('Whether file systems were frozen.'),
    startTimestamp: time('When it began.'),
    volumes: atomicListOf(virtualMachineInstanceBackupVolumeInfo, 'The volumes in it.'),
  },
});

export const changedBlockTrackingStatus: TSchema = shape({
  name: 'ChangedBlockTrackingStatus',
  description: 'Whether changed blocks are kept track of.',
  required: ['state'],
  fields: {
    backupStatus: of(virtualMachineInstanceBackupStatus, 'How far a backup is.', { nullable: true }),
    state: text('The state.'),
  },
});

const deviceAttribute: TSchema = shape({
  name: 'DeviceAttribute',
  description: 'Where a device is.',
  fields: {
    mDevUUID: text('The id of the mediated device.'),
    pciAddress: text('Its place on the PCI bus of the host.'),
  },
});

const deviceResourceClaimStatus: TSchema = shape({
  name: 'DeviceResourceClaimStatus',
  description: 'The device that a resource claim gave.',
  fields: {
    attributes: of(deviceAttribute, 'Where it is.'),
    name: text('Its name on the host.'),
    resourceClaimName: text('The name of the claim.'),
  },
});

const deviceStatusInfo: TSchema = shape({
  name: 'DeviceStatusInfo',
  description: 'What is known of a device.',
  required: ['name'],
  fields: {
    deviceResourceClaimStatus: of(deviceResourceClaimStatus, 'The device that the resource claim gave.'),
    name: text('Its name in the list of devices.'),
  },
});

const deviceStatus: TSchema = shape({
  name: 'DeviceStatus',
  description: 'What is known of devices from resource claims. Older releases write it.',
  fields: {
    gpuStatuses: atomicListOf(deviceStatusInfo, 'The GPUs.'),
    hostDeviceStatuses: atomicListOf(deviceStatusInfo, 'The other devices.'),
  },
});

export const virtualMachineInstanceStatus: TSchema = shape({
  name: 'VirtualMachineInstanceStatus',
  description: 'What is known of an instance.',
  fields: {
    VSOCKCID: int64('The address of its socket to the host.', { minimum: 0, maximum: 4294967295 }),
    activePods: mapOf(text(''), 'The nodes of its launchers, by the id of the pod.'),
    changedBlockTracking: of(changedBlockTrackingStatus, 'Whether changed blocks are kept track of.', {
      nullable: true,
    }),
    conditions: keyedListOf({ item: virtualMachineInstanceCondition, keys: ['type'] }, 'What is the case with it.'),
    currentCPUTopology: of(cpuTopology, 'The processors it has.'),
    deviceStatus: of(deviceStatus, 'What is known of devices from resource claims.'),
    evacuationNodeName: text('The node it has to leave.'),
    fsFreezeStatus: text('Whether its file systems are frozen.'),
    guestOSInfo: of(virtualMachineInstanceGuestOSInfo, 'The operating system, by the guest agent.'),
    interfaces: listOf(virtualMachineInstanceNetworkInterface, 'Its network interfaces.'),
    kernelBootStatus: of(kernelBootStatus, 'What it was booted with.'),
    launcherContainerImageVersion: text('The image of its launcher.'),
    machine: of(machine, 'The type of its machine.'),
    memory: of(memoryStatus, 'Its memory.'),
    migratedVolumes: atomicListOf(storageMigratedVolumeInfo, 'Volumes that move to other claims.'),
    migrationMethod: text('`LiveMigration`, or `BlockMigration` when disks are sent too.'),
    migrationState: of(virtualMachineInstanceMigrationState, 'How far its last migration is.'),
    migrationTransport: text('How migrations are carried; `Unix`.'),
    nodeName: text('The node it runs on.'),
    phase: text('Where it is in its life.'),
    phaseTransitionTimestamps: atomicListOf(virtualMachineInstancePhaseTransitionTimestamp, 'When each phase began.'),
    qosClass: text('The quality of service class of its launcher.'),
    reason: text('Why it is in that phase, as one word.'),
    runtimeUser: int64('The user id that its processes run as.'),
    selinuxContext: text('The SELinux context of its launcher.'),
    topologyHints: of(topologyHints, 'What later hosts must offer.'),
    virtualMachineRevisionName: text('The revision of the virtual machine that it was started from.'),
    volumeStatus: atomicListOf(volumeStatus, 'Its volumes.'),
  },
});
