import { incapabilitiesOf, type Incapability } from '@smalt/hypervisors';

const HOST_DEVICES = {
  reason: 'gets no devices of the host from any node yet',
  instead: 'leave it out, and use emulated or virtio devices',
};
const PLUGGED = {
  reason: 'gets no volumes of claims while it runs yet',
  instead: 'set it to false, and add the volume while the guest is off',
};

/** What drivers could do and nodes do not prepare, whatever the driver: such a guest would never start. */
export const UNMADE_FEATURES: readonly Incapability[] = [
  {
    field: 'domain.firmware.kernelBoot.container',
    reason: 'gets no kernels out of images from any node yet',
    instead: 'boot from a disk that has its kernel in it',
  },
  ...incapabilitiesOf(['domain.devices.gpus', 'domain.devices.hostDevices'], HOST_DEVICES),
  {
    field: 'domain.devices.interfaces[*].sriov',
    reason: 'gets no virtual functions of network cards from any node yet',
    instead: 'use masquerade or bridge',
  },
  {
    field: 'domain.cpu.dedicatedCpuPlacement',
    reason: 'gets no processors of its own from any node yet',
    instead: 'leave it out, and ask for processors by resources.requests.cpu',
  },
  ...incapabilitiesOf(['volumes[*].persistentVolumeClaim.hotpluggable', 'volumes[*].dataVolume.hotpluggable'], PLUGGED),
];
