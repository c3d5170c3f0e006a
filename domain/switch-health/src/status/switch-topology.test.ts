import { expect, it } from 'vitest';

import { bondPort, bridge, guestPort, healthyConfiguration, healthyFacts, plainPort } from '../fixtures/build-facts.ts';
import { switchTopology } from './switch-topology.ts';

const CONFIGURATION = healthyConfiguration({
  bridges: [
    bridge('br-int', [
      plainPort('to-ex', { type: 'patch', options: new Map([['peer', 'to-int']]) }),
      guestPort('tap1', 'vm1'),
      plainPort('ovn-n2', { type: 'geneve', options: new Map([['remote_ip', '10.0.0.2']]) }),
      plainPort('qvo-1', { ofport: -1n, error: 'No such device' }),
    ]),
    bridge('br-ex', [bondPort('bond0', ['eno2', 'eno1'])]),
  ],
});
const ANSWER = {
  value: [
    {
      name: 'bond0',
      members: [
        { name: 'eno1', isEnabled: true, isActive: true },
        { name: 'eno2', isEnabled: false, isActive: false },
      ],
    },
  ],
};

it('says what is plugged in where, and how bonds, patches and tunnels go on', () => {
  const { bridges, bondsUnknown } = switchTopology(healthyFacts({ configuration: CONFIGURATION }), ANSWER);

  expect(bondsUnknown).toBeUndefined();
  expect(bridges.map(({ name, ports }) => [name, ports.map((port) => port.name)])).toEqual([
    ['br-ex', ['bond0', 'br-ex']],
    ['br-int', ['br-int', 'ovn-n2', 'qvo-1', 'tap1', 'to-ex']],
  ]);
  expect(bridges[0]?.ports[0]).toMatchObject({
    bondMode: expect.any(String),
    interfaces: [
      { name: 'eno1', isCard: true, isEnabled: true, isActive: true },
      { name: 'eno2', isCard: true, isEnabled: false, isActive: false },
    ],
  });
  expect(bridges[1]?.ports.flatMap(({ interfaces }) => interfaces)).toMatchObject([
    { name: 'br-int', type: 'internal' },
    { name: 'ovn-n2', type: 'geneve', remote: '10.0.0.2' },
    { name: 'qvo-1', link: 'Down', error: 'No such device' },
    { name: 'tap1', logicalPort: 'vm1', link: 'Up' },
    { name: 'to-ex', type: 'patch', peer: 'to-int' },
  ]);
  expect(bridges[1]?.ports[2]?.interfaces[0]).not.toHaveProperty('number');
});

it('knows no links while nobody keeps the database up to date, and no members while nobody answers', () => {
  const facts = healthyFacts({ configuration: CONFIGURATION, vswitchd: { state: 'gone', since: 0 } });

  const { bridges, bondsUnknown } = switchTopology(facts, { error: 'ovs-vswitchd is gone' });

  const devices = bridges.flatMap(({ ports }) => ports.flatMap(({ interfaces }) => interfaces));
  expect(bondsUnknown).toBe('ovs-vswitchd is gone');
  expect(new Set(devices.map(({ link }) => link))).toEqual(new Set(['Unknown']));
  expect(devices.filter(({ isEnabled }) => isEnabled !== undefined)).toEqual([]);
});
