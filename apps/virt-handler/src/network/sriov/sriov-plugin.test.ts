import { expect, it } from 'vitest';

import { fakeSys, pciDevice } from '../../host-devices/fixtures/fake-sys.ts';
import type { DeviceWish } from '../../host-devices/host-devices.ts';
import { anInstance } from '../fixtures/an-instance.ts';
import type { NetworkRequest } from '../network-plugin.ts';
import { SriovPlugin } from './sriov-plugin.ts';

const FUNCTION = '0000:3b:02.1';
const CARD = 'bus/pci/devices/0000:3b:00.0';
const signal = AbortSignal.timeout(10_000);

const FILES = {
  ...pciDevice(FUNCTION, ['8086', '154c']),
  [`bus/pci/devices/${FUNCTION}/physfn`]: '->../0000:3b:00.0',
  [`${CARD}/net/ens1f0/mtu`]: '1500',
  [`${CARD}/virtfn0`]: '->../0000:3b:02.0',
  [`${CARD}/virtfn1`]: `->../${FUNCTION}`,
};

it('gives a function of a card, with the hardware address and the VLAN set on the card', async () => {
  await using sys = await fakeSys(FILES);
  const { plugin, ran, wishes } = world(sys.path);

  const network = await plugin.connect(request({ resource: 'intel.com/vf', vlan: 42 }), signal);

  expect(network).toEqual({ kind: 'pci', name: 'fast', address: FUNCTION, mac: '02:00:00:00:00:09' });
  expect(ran).toEqual(['ip link set dev ens1f0 vf 1 mac 02:00:00:00:00:09 vlan 42']);
  expect(wishes).toMatchObject([
    { resource: 'intel.com/vf', name: 'fast', field: 'spec.domain.devices.interfaces[1].sriov' },
  ]);
});

it('takes the VLAN of the guest before off a function that is to have none', async () => {
  await using sys = await fakeSys(FILES);
  const { plugin, ran } = world(sys.path);

  await plugin.connect(request({ resource: 'intel.com/vf' }), signal);

  expect(ran).toEqual(['ip link set dev ens1f0 vf 1 mac 02:00:00:00:00:09 vlan 0']);
});

it('asks for a function of those that the pod was given', async () => {
  await using sys = await fakeSys(FILES);
  const { plugin, wishes } = world(sys.path);
  const sandbox = {
    podUid: 'p',
    namespace: 'd',
    name: 'n',
    launcher: undefined,
    guestCgroup: undefined,
    volumes: {},
  };

  await plugin.connect(request({ resource: 'intel.com/vf', sandbox }), signal);

  expect(wishes).toMatchObject([{ list: 'interfaces', sandbox }]);
});

it('sets nothing on what is no function of a card', async () => {
  await using sys = await fakeSys(pciDevice(FUNCTION, ['8086', '154c']));
  const { plugin, ran } = world(sys.path);

  await plugin.connect(request({ resource: 'intel.com/vf' }), signal);

  expect(ran).toEqual([]);
});

it('refuses a network that leads to no cards', async () => {
  await expect(world('/sys').plugin.connect(request({}), signal)).rejects.toThrow(
    'spec.domain.devices.interfaces[1].sriov: the network leads to no cards',
  );
});

function world(sys: string) {
  const ran: string[] = [];
  const wishes: DeviceWish[] = [];
  const commands = {
    run: async ({ name }: { readonly name: string }, words: readonly string[]) => {
      ran.push([name, ...words].join(' '));
      return '';
    },
    wrap: () => {
      throw new Error('nothing is started here');
    },
  };
  const give = async (wish: DeviceWish) => {
    wishes.push(wish);
    const { resource } = wish;
    return { kind: 'pci', id: FUNCTION, resource, group: '9', cell: undefined, problem: undefined } as const;
  };
  return { plugin: new SriovPlugin({ commands, devices: { give }, sys }), ran, wishes };
}

function request(change: Partial<NetworkRequest>): NetworkRequest {
  const instance = anInstance('vm');
  return {
    instance,
    network: { name: 'fast', multus: { networkName: 'fast' } },
    interface: { name: 'fast', sriov: {} },
    record: { namespace: 'd', instance: 'vm', network: 'fast', uid: 'u', plugin: 'sriov', mac: '02:00:00:00:00:09' },
    bridge: undefined,
    vlan: undefined,
    field: 'spec.networks[1]',
    interfaceField: 'spec.domain.devices.interfaces[1]',
    ...change,
  };
}
