import type { Clock } from '@smalt/controller-runtime';
import { findHypervisor } from '@smalt/hypervisors';
import type { Logger } from '@smalt/service-runtime';
import { DEVICE_SLOTS } from '@smalt/vm-lifecycle';

import { hostDeviceOffer } from '../../host-devices/host-device-offer.ts';
import type { NodeDevice } from '../../host-devices/node-device.ts';
import { KubeletDevices } from './kubelet-devices.ts';
import { NETWORK_DEVICES } from './network-devices.ts';
import { devicePermissions, slotOffer } from './slot-offer.ts';

export interface KubeletSurroundings {
  /** Where the socket of the kubelet is, if there is one. */
  readonly directory: string;
  /** The hypervisors that this node offers. */
  readonly drivers: readonly string[];
  /** Further devices, which guests have to themselves. */
  readonly hostDevices?: HostDeviceSurroundings | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface HostDeviceSurroundings {
  readonly resources: readonly string[];
  readonly read: () => Promise<readonly NodeDevice[]>;
}

/** The devices of the drivers and of networks, to be offered to the kubelet of this node. */
export async function openKubeletDevices(surroundings: KubeletSurroundings): Promise<KubeletDevices> {
  const { drivers, hostDevices, ...rest } = surroundings;
  const permissions = await devicePermissions();
  const devices = drivers.flatMap((name) => findHypervisor(name).device ?? []);
  const names = [...new Set([...devices, ...NETWORK_DEVICES])];
  const offers = names.map((name) => slotOffer({ name, slots: DEVICE_SLOTS, permissions }));
  const own = (hostDevices?.resources ?? []).map((resource) =>
    hostDeviceOffer({ resource, read: async () => (await hostDevices?.read()) ?? [], permissions }),
  );
  return new KubeletDevices({ ...rest, offers: [...offers, ...own] });
}
