import { incapabilitiesOf, isNoneOf, isOneOf, type Incapability } from '../capability/incapability.ts';
import { withoutGuestAgent } from '../capability/without-guest-agent.ts';
import { withoutMigration } from '../capability/without-migration.ts';

const OTHERWISE = 'leave it out, or use the hypervisor qemu-kvm';

const firmware: readonly Incapability[] = [
  ...incapabilitiesOf(['domain.firmware.bootloader.bios'], {
    reason: 'has no BIOS',
    instead: 'use spec.domain.firmware.bootloader.efi with secureBoot: false, or leave the boot loader out',
  }),
  {
    field: 'domain.firmware.bootloader.efi',
    when: (efi) => !(typeof efi === 'object' && efi !== null && 'secureBoot' in efi && efi.secureBoot === false),
    reason: 'has no secure boot, which efi means when nothing else is said',
    instead: 'set secureBoot: false, or use the hypervisor qemu-kvm',
  },
  ...incapabilitiesOf(['domain.firmware.bootloader.efi.persistent', 'domain.firmware.acpi', 'domain.chassis'], {
    reason: 'has firmware that cannot be given anything',
    instead: OTHERWISE,
  }),
  {
    field: 'domain.machine.type',
    when: isNoneOf('q35', 'virt'),
    reason: 'has one machine only',
    instead: 'leave the type out',
  },
  {
    field: 'architecture',
    when: isNoneOf('amd64', 'arm64'),
    reason: 'runs on amd64 and arm64 only',
    instead: 'use one of them',
  },
];

const processorsAndMemory: readonly Incapability[] = [
  {
    field: 'domain.cpu.model',
    when: isNoneOf('host-model', 'host-passthrough'),
    reason: "shows the guest the host's processors as they are",
    instead: 'use host-passthrough, or the hypervisor qemu-kvm',
  },
  ...incapabilitiesOf(['domain.cpu.features', 'domain.cpu.realtime', 'domain.cpu.numa'], {
    reason: "shows the guest the host's processors as they are",
    instead: OTHERWISE,
  }),
  ...incapabilitiesOf(['domain.memory.hugepages', 'domain.launchSecurity'], {
    reason: 'takes ordinary memory only',
    instead: OTHERWISE,
  }),
];

const features: readonly Incapability[] = [
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
    { reason: 'has no such feature', instead: OTHERWISE },
  ),
  {
    field: 'domain.features.acpi.enabled',
    when: isOneOf(false),
    reason: 'cannot do without ACPI',
    instead: 'leave it on',
  },
  {
    field: 'domain.rebootPolicy',
    when: isOneOf('Terminate'),
    reason: 'reboots guests by itself',
    instead: 'use Reboot, or the hypervisor qemu-kvm',
  },
  {
    field: 'startStrategy',
    when: isOneOf('Paused'),
    reason: 'cannot start a guest paused',
    instead: 'pause it once it runs',
  },
];

const disks: readonly Incapability[] = [
  ...incapabilitiesOf(['domain.devices.disks[*].cdrom'], {
    reason: 'has no CD drives',
    instead: 'attach the volume as disk: { bus: virtio }; media for cloud-init are made as raw disks',
  }),
  ...incapabilitiesOf(['domain.devices.disks[*].lun'], { reason: 'has no LUNs', instead: 'attach the volume as disk' }),
  {
    field: 'domain.devices.disks[*].disk.bus',
    when: isNoneOf('virtio'),
    reason: 'has disks on virtio only',
    instead: 'use virtio',
  },
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
    { reason: 'cannot be told how to serve a disk', instead: OTHERWISE },
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
    reason: 'has network cards of virtio only',
    instead: 'use virtio',
  },
  {
    field: 'domain.devices.interfaces[*].state',
    when: isOneOf('down'),
    reason: 'cannot unplug the cable of a network card',
    instead: 'use absent',
  },
  ...incapabilitiesOf(
    [
      'domain.devices.interfaces[*].acpiIndex',
      'domain.devices.interfaces[*].pciAddress',
      'domain.devices.interfaces[*].bootOrder',
      'domain.devices.interfaces[*].passtBinding',
    ],
    { reason: 'cannot be told so much about a network card', instead: OTHERWISE },
  ),
  ...incapabilitiesOf(['domain.devices.autoattachGraphicsDevice', 'domain.devices.video'], {
    reason: 'has no display',
    instead: 'set autoattachGraphicsDevice: false and use the serial console',
  }),
  ...incapabilitiesOf(
    [
      'domain.devices.autoattachInputDevice',
      'domain.devices.autoattachMemBalloon',
      'domain.devices.autoattachVSOCK',
      'domain.devices.clientPassthrough',
      'domain.devices.downwardMetrics',
      'domain.devices.filesystems',
      'domain.devices.gpus[*].virtualGPUOptions',
      'domain.devices.inputs',
      'domain.devices.panicDevices',
      'domain.devices.sound',
      'domain.devices.tpm',
      'domain.devices.useVirtioTransitional',
      'domain.devices.watchdog',
    ],
    { reason: 'has no such device', instead: OTHERWISE },
  ),
];

/** What Cloud Hypervisor, or libvirt's driver for it, does not do. */
export const cloudHypervisorIncapabilities: readonly Incapability[] = [
  ...firmware,
  ...processorsAndMemory,
  ...features,
  ...disks,
  ...devices,
  ...withoutGuestAgent,
  ...withoutMigration,
];
