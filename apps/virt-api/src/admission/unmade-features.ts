import { incapabilitiesOf, type Incapability } from '@smalt/hypervisors';

const HOST_DEVICES = {
  reason: 'gets no devices of the host from any node yet',
  instead: 'leave it out, and use emulated or virtio devices',
};
/** What drivers could do and nodes do not prepare, whatever the driver: such a guest would never start. */
export const UNMADE_FEATURES: readonly Incapability[] = [
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
];
