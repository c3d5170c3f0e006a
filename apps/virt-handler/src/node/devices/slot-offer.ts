import { access } from 'node:fs/promises';
import { join } from 'node:path';

import type { DeviceOffer, OfferedDevice } from '@smalt/device-plugin';

import { canOpenDevice, deviceFile } from '../open-device.ts';

/** A device such as `kvm` that any number of guests can use, in so many slots. */
export interface SharedDevice {
  /** Without its group: `kvm` of `devices.kubevirt.io/kvm`. */
  readonly name: string;
  readonly slots: number;
  /** Where devices are; `/dev` if not given. */
  readonly root?: string | undefined;
  /** What a container may do with it: of `m`, `r` and `w`. */
  readonly permissions: string;
}

/** Offers the slots of a device that guests share. All of them are healthy while the device can be opened. */
export function slotOffer({ name, slots, root = '/dev', permissions }: SharedDevice): DeviceOffer {
  const file = deviceFile(name);
  const node = { hostPath: join(root, file), containerPath: join('/dev', file), permissions };
  return {
    resourceName: `devices.kubevirt.io/${name}`,
    list: async () => {
      const isHealthy = await canOpenDevice(name, root);
      return Array.from({ length: slots }, (_, index): OfferedDevice => ({ id: `${name}${index}`, isHealthy }));
    },
    // However many slots a container has, the device is one.
    allocate: () => Promise.resolve({ deviceNodes: [node] }),
  };
}

/** What containers may do with devices: with the older cgroups the kernel must not be asked to let them make nodes. */
export async function devicePermissions(cgroupRoot: string = '/sys/fs/cgroup'): Promise<string> {
  try {
    await access(join(cgroupRoot, 'cgroup.controllers'));
    return 'mrw';
  } catch {
    // Only the newer cgroups have that file.
    return 'rw';
  }
}
