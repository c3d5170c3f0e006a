import { expect, it } from 'vitest';

import { fakeSys, pciDevice } from './fixtures/fake-sys.ts';
import { parseHostDevices } from './host-device-settings.ts';
import { readNodeDevices } from './read-node-devices.ts';

const UUID = '3a1f7f3c-1d2e-4b5a-9c8d-0123456789ab';

it('finds the devices that are permitted, where they are, and what hinders guests from having them', async () => {
  await using sys = await fakeSys({
    ...pciDevice('0000:3b:00.0', ['10de', '1eb8']),
    ...pciDevice('0000:3c:00.0', ['10de', '1eb8'], 'nouveau'),
    ...pciDevice('0000:3d:00.0', ['8086', '1572']),
    [`bus/mdev/devices/${UUID}/mdev_type/name`]: 'GRID T4-1Q',
    [`bus/mdev/devices/${UUID}/iommu_group`]: '->../../../kernel/iommu_groups/20',
  });
  const settings = parseHostDevices(['10DE:1EB8=nvidia.com/T4'], ['GRID T4-1Q=nvidia.com/T4-1Q']);

  expect(await readNodeDevices(settings, sys.path)).toEqual([
    { kind: 'pci', id: '0000:3b:00.0', resource: 'nvidia.com/T4', group: '17', cell: 1, problem: undefined },
    {
      kind: 'pci',
      id: '0000:3c:00.0',
      resource: 'nvidia.com/T4',
      group: '17',
      cell: 1,
      problem: 'the device 0000:3c:00.0 belongs to the driver nouveau; bind it to vfio-pci',
    },
    { kind: 'mediated', id: UUID, resource: 'nvidia.com/T4-1Q', group: '20', cell: undefined, problem: undefined },
  ]);
});

it('finds nothing on a machine without such devices', async () => {
  await using sys = await fakeSys();

  expect(await readNodeDevices(parseHostDevices(['10de:1eb8=a.example/b'], ['c=a.example/d']), sys.path)).toEqual([]);
});

it.each([
  [['nvidia=nvidia.com/T4'], [], 'hostDevices.pci: "nvidia=nvidia.com/T4" begins with no VENDOR:DEVICE'],
  [['10de:1eb8'], [], 'hostDevices.pci: "10de:1eb8" begins with no VENDOR:DEVICE'],
  [['10de:1eb8=gpu'], [], 'hostDevices.pci: "10de:1eb8=gpu" ends in no name of a resource'],
  [[], ['=a.example/b'], 'hostDevices.mediated: "=a.example/b" begins with no name of a type'],
  [
    ['10de:1eb8=a.example/b'],
    ['c=a.example/b'],
    'hostDevices.mediated: "a.example/b" is a name of hostDevices.pci too',
  ],
])('refuses the settings %j and %j', (pci, mediated, message) => {
  expect(() => parseHostDevices(pci, mediated)).toThrow(message);
});
