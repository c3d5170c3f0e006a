import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { HostDeviceSettings } from './host-device-settings.ts';
import type { NodeDevice } from './node-device.ts';

const PCI_ADDRESS = /^[\da-f]{4}:[\da-f]{2}:[\da-f]{2}\.[0-7]$/u;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;
const DRIVER = 'vfio-pci';

/** The devices of this node that the settings permit, by their addresses. `sys` is where the kernel tells of them. */
export async function readNodeDevices(
  settings: HostDeviceSettings,
  sys: string = '/sys',
): Promise<readonly NodeDevice[]> {
  const devices = [...(await pciDevices(settings, sys)), ...(await mediatedDevices(settings, sys))];
  return devices.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

async function pciDevices({ pci }: HostDeviceSettings, sys: string): Promise<readonly NodeDevice[]> {
  if (pci.length === 0) return [];
  const directory = join(sys, 'bus/pci/devices');
  const found = await Promise.all(
    (await namesIn(directory)).map(async (id) => {
      if (!PCI_ADDRESS.test(id)) return [];
      const path = join(directory, id);
      const [vendor, device] = await Promise.all([hexIn(join(path, 'vendor')), hexIn(join(path, 'device'))]);
      const permitted = pci.find((each) => each.vendor === vendor && each.device === device);
      if (permitted === undefined) return [];
      const driver = await linkIn(join(path, 'driver'));
      const problem =
        driver === DRIVER
          ? undefined
          : `the device ${id} belongs to ${driver === undefined ? 'no driver' : `the driver ${driver}`}; bind it to ${DRIVER}`;
      return [{ kind: 'pci', id, resource: permitted.resource, ...(await placeOf(path)), problem } as const];
    }),
  );
  return found.flat();
}

async function mediatedDevices({ mediated }: HostDeviceSettings, sys: string): Promise<readonly NodeDevice[]> {
  if (mediated.length === 0) return [];
  const directory = join(sys, 'bus/mdev/devices');
  const found = await Promise.all(
    (await namesIn(directory)).map(async (id) => {
      if (!UUID.test(id)) return [];
      const path = join(directory, id);
      const type = (await textIn(join(path, 'mdev_type/name'))) ?? (await linkIn(join(path, 'mdev_type')));
      const permitted = mediated.find((each) => each.type === type);
      if (permitted === undefined) return [];
      return [
        { kind: 'mediated', id, resource: permitted.resource, ...(await placeOf(path)), problem: undefined } as const,
      ];
    }),
  );
  return found.flat();
}

async function placeOf(path: string): Promise<Pick<NodeDevice, 'group' | 'cell'>> {
  const cell = Number((await textIn(join(path, 'numa_node'))) ?? -1);
  return { group: await linkIn(join(path, 'iommu_group')), cell: cell >= 0 ? cell : undefined };
}

async function namesIn(directory: string): Promise<readonly string[]> {
  // A machine without such a bus has none of its devices.
  return await readdir(directory).catch(() => []);
}

async function textIn(file: string): Promise<string | undefined> {
  // Devices go while they are looked at.
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text?.trim();
}

async function hexIn(file: string): Promise<string | undefined> {
  return (await textIn(file))?.replace(/^0x/u, '').toLowerCase();
}

async function linkIn(path: string): Promise<string | undefined> {
  const target = await readlink(path).catch(() => undefined);
  return target === undefined ? undefined : basename(target);
}
