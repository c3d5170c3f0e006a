import { atomicListOf, flag, listOf, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { disk } from './disk.ts';
import { featureState } from './features.ts';
import { networkInterface } from './interface.ts';

const clientPassthroughDevices: TSchema = shape({
  name: 'ClientPassthroughDevices',
  description: 'USB devices of the person at the console can be used.',
  fields: {},
});

const downwardMetrics: TSchema = shape({
  name: 'DownwardMetrics',
  description: 'A device through which the guest reads metrics of its host.',
  fields: {},
});

const filesystemVirtiofs: TSchema = shape({
  name: 'FilesystemVirtiofs',
  description: 'Shared by virtiofs.',
  fields: {},
});

const filesystem: TSchema = shape({
  name: 'Filesystem',
  description: 'A directory that is shared with the guest.',
  required: ['name', 'virtiofs'],
  fields: {
    name: text('The name of the volume.'),
    virtiofs: of(filesystemVirtiofs, 'Shared by virtiofs.'),
  },
});

const vgpuDisplayOptions: TSchema = shape({
  name: 'VGPUDisplayOptions',
  description: 'The display of a virtual GPU.',
  fields: {
    enabled: flag('Whether it has a display; true when not set.'),
    ramFB: of(featureState, 'Show what is drawn before the driver is loaded.'),
  },
});

export const vgpuOptions: TSchema = shape({
  name: 'VGPUOptions',
  description: 'Options of a virtual GPU.',
  fields: {
    display: of(vgpuDisplayOptions, 'Its display.'),
  },
});

export const gpu: TSchema = shape({
  name: 'GPU',
  description: 'A GPU that is handed to the guest.',
  required: ['name'],
  fields: {
    claimName: text('The resource claim that the GPU is taken from.'),
    deviceName: text('The name that the node offers it by, such as `nvidia.com/TU104GL_Tesla_T4`.'),
    name: text('Its name in this list.'),
    requestName: text('The request in the resource claim.'),
    tag: text('A tag that the guest finds in its metadata.'),
    virtualGPUOptions: of(vgpuOptions, 'Options of a virtual GPU.'),
  },
});

export const hostDevice: TSchema = shape({
  name: 'HostDevice',
  description: 'A device of the host that is handed to the guest.',
  required: ['name'],
  fields: {
    claimName: text('The resource claim that the device is taken from.'),
    deviceName: text('The name that the node offers it by.'),
    name: text('Its name in this list.'),
    requestName: text('The request in the resource claim.'),
    tag: text('A tag that the guest finds in its metadata.'),
  },
});

const input: TSchema = shape({
  name: 'Input',
  description: 'An input device.',
  required: ['name', 'type'],
  fields: {
    bus: text('`usb` or `virtio`.'),
    name: text('Its name in this list.'),
    type: text('`tablet`.'),
  },
});

const panicDevice: TSchema = shape({
  name: 'PanicDevice',
  description: 'A device by which the guest says that it has crashed.',
  fields: {
    model: text('`hyperv`, `isa` or `pvpanic`.'),
  },
});

export const rng: TSchema = shape({
  name: 'Rng',
  description: 'A source of random numbers.',
  fields: {},
});

const soundDevice: TSchema = shape({
  name: 'SoundDevice',
  description: 'A sound card.',
  required: ['name'],
  fields: {
    model: text('`ich9` or `ac97`.'),
    name: text('Its name.'),
  },
});

export const tpmDevice: TSchema = shape({
  name: 'TPMDevice',
  description: 'A trusted platform module.',
  fields: {
    enabled: flag('Whether the guest has it; true when not set.'),
    persistent: flag('Keep its state when the virtual machine is stopped.'),
  },
});

const videoDevice: TSchema = shape({
  name: 'VideoDevice',
  description: 'A graphics card.',
  fields: {
    type: text('`virtio`, `vga`, `bochs`, `ramfb` or `none`.'),
  },
});

const diag288Watchdog: TSchema = shape({
  name: 'Diag288Watchdog',
  description: 'The watchdog of s390x.',
  fields: {
    action: text('What happens when it fires: `poweroff`, `reset` or `shutdown`.'),
  },
});

const i6300ESBWatchdog: TSchema = shape({
  name: 'I6300ESBWatchdog',
  description: 'A watchdog on the PCI bus.',
  fields: {
    action: text('What happens when it fires: `poweroff`, `reset` or `shutdown`.'),
  },
});

const watchdog: TSchema = shape({
  name: 'Watchdog',
  description: 'A device that acts when the guest hangs.',
  required: ['name'],
  fields: {
    diag288: of(diag288Watchdog, 'The watchdog of s390x.'),
    i6300esb: of(i6300ESBWatchdog, 'A watchdog on the PCI bus.'),
    name: text('Its name.'),
  },
});

export const devices: TSchema = shape({
  name: 'Devices',
  description: 'The devices of the guest.',
  fields: {
    autoattachGraphicsDevice: flag('Give it a graphics card and a VNC display; true when not set.'),
    autoattachInputDevice: flag('Give it a tablet.'),
    autoattachMemBalloon: flag('Give it a memory balloon; true when not set.'),
    autoattachPodInterface: flag(
      'Connect it to the network of the cluster when it has no interfaces; true when not set.',
    ),
    autoattachSerialConsole: flag('Give it a serial console; true when not set.'),
    autoattachVSOCK: flag('Give it a socket to its host.'),
    blockMultiQueue: flag('Give disks one queue per processor.'),
    clientPassthrough: of(clientPassthroughDevices, 'USB devices of the person at the console can be used.'),
    disableHotplug: flag('Nothing can be plugged in while it runs.'),
    disks: listOf(disk, 'The disks.', { maxItems: 256 }),
    downwardMetrics: of(downwardMetrics, 'Let the guest read metrics of its host.'),
    filesystems: atomicListOf(filesystem, 'Directories that are shared with it.'),
    gpus: atomicListOf(gpu, 'GPUs that are handed to it.'),
    hostDevices: atomicListOf(hostDevice, 'Devices of the host that are handed to it.'),
    inputs: listOf(input, 'Input devices.'),
    interfaces: listOf(networkInterface, 'The network cards.', { maxItems: 256 }),
    logSerialConsole: flag('Write what it prints on the serial console to the log.'),
    networkInterfaceMultiqueue: flag('Give network cards one queue per processor.'),
    panicDevices: listOf(panicDevice, 'Devices by which it says that it has crashed.'),
    rng: of(rng, 'A source of random numbers.'),
    sound: of(soundDevice, 'A sound card.'),
    tpm: of(tpmDevice, 'A trusted platform module.'),
    useVirtioTransitional: flag('Use the older virtio, for guests that know no other.'),
    video: of(videoDevice, 'A graphics card.'),
    watchdog: of(watchdog, 'A device that acts when it hangs.'),
  },
});
