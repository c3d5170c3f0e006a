import { flag, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { rng, tpmDevice, vgpuOptions } from './devices.ts';
import { blockSize } from './disk.ts';
import { featureAPIC, featureHyperv, featureKVM, featureState } from './features.ts';
import { efi } from './firmware.ts';
import { interfaceMasquerade } from './interface.ts';

export const devicePreferences: TSchema = shape({
  name: 'DevicePreferences',
  description: 'Defaults of devices.',
  fields: {
    preferredAutoattachGraphicsDevice: flag('Give it a graphics card and a VNC display.'),
    preferredAutoattachInputDevice: flag('Give it a tablet.'),
    preferredAutoattachMemBalloon: flag('Give it a memory balloon.'),
    preferredAutoattachPodInterface: flag('Connect it to the network of the cluster.'),
    preferredAutoattachSerialConsole: flag('Give it a serial console.'),
    preferredBlockMultiQueue: flag('Give disks one queue per processor.'),
    preferredCdromBus: text('The bus of CD drives.'),
    preferredDisableHotplug: flag('Nothing can be plugged in while it runs.'),
    preferredDiskBlockSize: of(blockSize, 'The block size of disks.'),
    preferredDiskBus: text('The bus of disks.'),
    preferredDiskCache: text('The cache mode of disks.'),
    preferredDiskDedicatedIoThread: flag('Give virtio disks threads of their own.'),
    preferredDiskIO: text('The I/O mode of disks.'),
    preferredInputBus: text('The bus of input devices.'),
    preferredInputType: text('The type of input devices.'),
    preferredInterfaceMasquerade: of(interfaceMasquerade, 'Connect it to the network of pods by address translation.'),
    preferredInterfaceModel: text('The model of network cards.'),
    preferredLunBus: text('The bus of LUNs.'),
    preferredNetworkInterfaceMultiQueue: flag('Give network cards one queue per processor.'),
    preferredPanicDeviceModel: text('The model of the device by which it says that it has crashed.'),
    preferredRng: of(rng, 'A source of random numbers.'),
    preferredSoundModel: text('The model of the sound card.'),
    preferredTPM: of(tpmDevice, 'A trusted platform module.'),
    preferredUseVirtioTransitional: flag('Use the older virtio.'),
    preferredVideoType: text('The type of the graphics card.'),
    preferredVirtualGPUOptions: of(vgpuOptions, 'Options of virtual GPUs.'),
  },
});

export const featurePreferences: TSchema = shape({
  name: 'FeaturePreferences',
  description: 'Defaults of features.',
  fields: {
    preferredAcpi: of(featureState, 'Power management.'),
    preferredApic: of(featureAPIC, 'The interrupt controller.'),
    preferredHyperv: of(featureHyperv, 'Features of Hyper-V.'),
    preferredKvm: of(featureKVM, 'Features of KVM.'),
    preferredPvspinlock: of(featureState, 'Locks that tell the hypervisor when they wait.'),
    preferredSmm: of(featureState, 'System management mode.'),
  },
});

export const firmwarePreferences: TSchema = shape({
  name: 'FirmwarePreferences',
  description: 'Defaults of the firmware.',
  fields: {
    preferredEfi: of(efi, 'Boot by UEFI.'),
    preferredUseBios: flag('Boot by the classic firmware.'),
    preferredUseBiosSerial: flag('Show what that prints on the serial console.'),
    preferredUseEfi: flag('Deprecated; use `preferredEfi`.'),
    preferredUseSecureBoot: flag('Deprecated; use `preferredEfi`.'),
  },
});
