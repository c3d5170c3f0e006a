import { expect, it } from 'vitest';

import {
  bondPort,
  bridge,
  guestPort,
  healthyConfiguration,
  healthyFacts,
  plainPort,
  port,
  card,
} from '../fixtures/build-facts.ts';
import { readRecording } from '../fixtures/read-recording.ts';
import { physicalInterfaces, physicalPlaces } from './physical-interfaces.ts';

it('takes members of bonds, cards of DPDK, and devices on other bridges than the one for guests', () => {
  const vlan = plainPort('mirror0');
  const configuration = healthyConfiguration({
    bridges: [
      bridge('br-int', [
        guestPort('tap1', 'vm1'),
        plainPort('tap2'),
        plainPort('dpdk0', { type: 'dpdk' }),
        plainPort('genev', { type: 'geneve' }),
        bondPort('bond1', ['eno3', 'eno4']),
      ]),
      bridge(
        'br-ex',
        [
          plainPort('eno1'),
          plainPort('vhu1', { type: 'dpdkvhostuserclient' }),
          plainPort('patch-ex', { type: 'patch' }),
          guestPort('tap3', 'vm3'),
          port('tap4', [card('tap4')], { externalIds: new Map([['iface-id', 'vm4']]) }),
          vlan,
          plainPort('tap9'),
          plainPort('qvo-abc123', { ofport: -1n, error: 'No such device' }),
        ],
        { mirrors: [{ name: 'm', externalIds: new Map(), outputPort: 'mirror0' }] },
      ),
    ],
  });

  const names = physicalPlaces(configuration).map(({ interface: { name }, bond }) => [name, bond]);

  expect(names).toEqual([
    ['dpdk0', undefined],
    ['eno1', undefined],
    ['eno3', 'bond1'],
    ['eno4', 'bond1'],
  ]);
});

it('knows the bridge for guests by the name that OVN has for it', () => {
  const configuration = healthyConfiguration({
    externalIds: new Map([['ovn-bridge', 'br-guests']]),
    bridges: [bridge('br-guests', [plainPort('tap1')]), bridge('br-int', [plainPort('eno1')])],
  });

  expect(physicalPlaces(configuration).map((place) => place.interface.name)).toEqual(['eno1']);
});

it('tells real cards, one of them with its link down', async () => {
  const { configuration } = await readRecording('link-down');

  expect(physicalInterfaces(healthyFacts({ configuration }))).toEqual([
    { name: 'eno1', status: 'Up', speed: '10Gbps', bond: 'bond0' },
    { name: 'eno2', status: 'Down', speed: '10Gbps', bond: 'bond0' },
    { name: 'eno3', status: 'Up', speed: '10Gbps' },
    { name: 'swp1', status: 'Up', speed: '10Gbps', bond: 'lag0' },
    { name: 'swp2', status: 'Down', speed: '10Gbps', bond: 'lag0' },
  ]);
});

it('calls a card whose device is missing down, without a speed', async () => {
  const { configuration } = await readRecording('member-missing');

  expect(physicalInterfaces(healthyFacts({ configuration }))).toContainEqual({
    name: 'eno2',
    status: 'Down',
    bond: 'bond0',
  });
});
