import { incapabilitiesOf, isNoneOf, isOneOf, type Incapability } from '../capability/incapability.ts';
import { withoutGuestAgent } from '../capability/without-guest-agent.ts';
import { withoutMigration } from '../capability/without-migration.ts';

const OTHERWISE = 'leave it out, or use the hypervisor qemu';

const machine: readonly Incapability[] = [
  ...incapabilitiesOf(
    ['domain.firmware.bootloader', 'domain.firmware.kernelBoot', 'domain.firmware.acpi', 'domain.chassis'],
    { reason: "runs containers on the node's own kernel, which boot nothing", instead: OTHERWISE },
  ),
  {
    field: 'domain.machine.type',
    when: isNoneOf('q35', 'virt', 's390-ccw-virtio'),
    reason: 'has no machines',
    instead: 'leave the type out',
  },
  {
    field: 'domain.cpu.model',
    when: isNoneOf('host-model', 'host-passthrough'),
    reason: "shows the node's processors as they are",
    instead: 'leave the model out, or use the hypervisor qemu',
  },
  ...incapabilitiesOf(
    ['domain.cpu.features', 'domain.cpu.realtime', 'domain.cpu.numa', 'domain.cpu.isolateEmulatorThread'],
    { reason: "shows the node's processors as they are", instead: OTHERWISE },
  ),
  ...incapabilitiesOf(['domain.memory.hugepages', 'domain.launchSecurity'], {
    reason: 'takes ordinary memory only',
    instead: OTHERWISE,
  }),
  ...incapabilitiesOf(
    [
      'domain.features.apic.endOfInterrupt',
      'domain.features.hyperv',
      'domain.features.hypervPassthrough',
      'domain.features.kvm.hidden',
      'domain.features.pvspinlock',
      'domain.features.smm',
      'domain.clock.timer',
      'domain.clock.timezone',
      'domain.clock.utc.offsetSeconds',
    ],
    { reason: 'has neither a machine nor a clock of its own', instead: OTHERWISE },
  ),
  {
    field: 'startStrategy',
    when: isOneOf('Paused'),
    reason: 'cannot start a guest paused',
    instead: 'pause it once it runs',
  },
];

const disks: readonly Incapability[] = [
  ...incapabilitiesOf(['domain.devices.disks[*].cdrom', 'domain.devices.disks[*].lun'], {
    reason: 'mounts volumes and has no drives',
    instead: 'attach the volume as disk',
  }),
  ...incapabilitiesOf(
    [
      'domain.devices.disks[*].blockSize',
      'domain.devices.disks[*].cache',
      'domain.devices.disks[*].changedBlockTracking',
      'domain.devices.disks[*].dedicatedIOThread',
      'domain.devices.disks[*].disk.pciAddress',
      'domain.devices.disks[*].errorPolicy',
      'domain.devices.disks[*].io',
      'domain.devices.disks[*].serial',
      'domain.devices.disks[*].shareable',
      'domain.devices.blockMultiQueue',
      'domain.ioThreadsPolicy',
      'domain.ioThreads',
    ],
    { reason: 'mounts volumes and has no drives', instead: OTHERWISE },
  ),
  ...incapabilitiesOf(
    [
      'volumes[*].dataVolume.hotpluggable',
      'volumes[*].persistentVolumeClaim.hotpluggable',
      'volumes[*].memoryDump',
      'volumes[*].downwardMetrics',
    ],
    { reason: 'has its volumes from start to end', instead: 'leave it out, and restart it to change volumes' },
  ),
];

const devices: readonly Incapability[] = [
  {
    field: 'domain.devices.interfaces[*].model',
    when: isNoneOf('virtio'),
    reason: 'has network interfaces of the kernel and no cards',
    instead: 'leave the model out',
  },
  ...incapabilitiesOf(
    [
      'domain.devices.interfaces[*].acpiIndex',
      'domain.devices.interfaces[*].bootOrder',
      'domain.devices.interfaces[*].passtBinding',
      'domain.devices.interfaces[*].pciAddress',
      'domain.devices.interfaces[*].sriov',
      'domain.devices.networkInterfaceMultiqueue',
    ],
    { reason: 'has network interfaces of the kernel and no cards', instead: 'connect it by masquerade or bridge' },
  ),
  ...incapabilitiesOf(['domain.devices.autoattachGraphicsDevice', 'domain.devices.video'], {
    reason: 'has no display',
    instead: 'set autoattachGraphicsDevice: false and use the console',
  }),
  ...incapabilitiesOf(
    [
      'domain.devices.autoattachInputDevice',
      'domain.devices.autoattachMemBalloon',
      'domain.devices.autoattachVSOCK',
      'domain.devices.clientPassthrough',
      'domain.devices.downwardMetrics',
      'domain.devices.gpus',
      'domain.devices.hostDevices',
      'domain.devices.inputs',
      'domain.devices.panicDevices',
      'domain.devices.sound',
      'domain.devices.tpm',
      'domain.devices.useVirtioTransitional',
      'domain.devices.watchdog',
    ],
    { reason: 'has no devices', instead: OTHERWISE },
  ),
];

/** What a container is not. */
export const lxcIncapabilities: readonly Incapability[] = [
  ...machine,
  ...disks,
  ...devices,
  ...withoutGuestAgent,
  ...withoutMigration,
];
