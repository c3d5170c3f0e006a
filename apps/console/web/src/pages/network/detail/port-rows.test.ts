import type { SwitchTopology } from '@smalt/ovs-api';
import { expect, it } from 'vitest';

import { portRows } from './port-rows.ts';

const TOPOLOGY: SwitchTopology = {
  at: '2026-01-01T00:00:00Z',
  bridges: [
    {
      name: 'br-ex',
      ports: [
        {
          name: 'bond0',
          bondMode: 'balance-slb',
          interfaces: [
            { name: 'eno1', type: '', link: 'Up', number: 1, isEnabled: true, isActive: true },
            { name: 'eno2', type: '', link: 'Down', isEnabled: false, isActive: false },
          ],
        },
        { name: 'to-int', interfaces: [{ name: 'to-int', type: 'patch', link: 'Up', peer: 'to-ex' }] },
      ],
    },
    {
      name: 'br-int',
      ports: [
        { name: 'to-ex', interfaces: [{ name: 'to-ex', type: 'patch', link: 'Up', peer: 'to-int' }] },
        { name: 'ovn-n2', interfaces: [{ name: 'ovn-n2', type: 'geneve', link: 'Up', remote: '10.0.0.2' }] },
        { name: 'tap1', interfaces: [{ name: 'tap1', type: '', link: 'Up', logicalPort: 'vm1' }] },
      ],
    },
  ],
};

it('says in rows what the picture shows', () => {
  const rows = portRows(TOPOLOGY).map(({ name, kind, state, leadsTo }) => [name, kind, state.words, leadsTo]);

  expect(rows).toEqual([
    ['eno1', 'Member of a bond', 'active', 'in bond0, balance-slb'],
    ['eno2', 'Member of a bond', 'down', 'in bond0, balance-slb'],
    ['to-int', 'Patch', 'up', 'br-int (to-ex)'],
    ['to-ex', 'Patch', 'up', 'br-ex (to-int)'],
    ['ovn-n2', 'Tunnel', 'up', '10.0.0.2'],
    ['tap1', 'Guest', 'up', 'vm1'],
  ]);
});
