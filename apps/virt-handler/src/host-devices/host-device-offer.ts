import { join } from 'node:path';

import type { DeviceOffer } from '@smalt/device-plugin';

import { variableOf } from './given-devices.ts';
import type { NodeDevice } from './node-device.ts';

export interface HostDeviceOfferOptions {
  readonly resource: string;
  readonly read: () => Promise<readonly NodeDevice[]>;
  /** What a container may do with them: of `m`, `r` and `w`. */
  readonly permissions: string;
}

const VFIO = '/dev/vfio';

/** Offers the devices of one resource to a kubelet, each for one container. It tells the container which it has. */
export function hostDeviceOffer({ resource, read, permissions }: HostDeviceOfferOptions): DeviceOffer {
  const own = async (): Promise<readonly NodeDevice[]> => (await read()).filter((each) => each.resource === resource);
  return {
    resourceName: resource,
    list: async () =>
      (await own()).map(({ id, problem, cell }) => ({
        id,
        isHealthy: problem === undefined,
        ...(cell === undefined ? {} : { numaNode: cell }),
      })),
    allocate: async (ids) => {
      const chosen = (await own()).filter(({ id }) => ids.includes(id));
      const prefix = chosen.some(({ kind }) => kind === 'mediated') ? 'MDEV_PCI_RESOURCE_' : 'PCI_RESOURCE_';
      const files = ['vfio', ...chosen.flatMap(({ group }) => group ?? [])].map((name) => join(VFIO, name));
      return {
        deviceNodes: [...new Set(files)].map((path) => ({ hostPath: path, containerPath: path, permissions })),
        environment: { [variableOf(prefix, resource)]: ids.join(',') },
      };
    },
  };
}
