import { expect, it } from 'vitest';

import { parseConntrackZones, parseLocalBindings } from './parse-ovn-controller.ts';

it('reads what is bound, and what is not', () => {
  const text = `Local bindings:
name: [ghost], OVS interface name : [tapghost], num binding lports : [0]
----------------------------------------
name: [vm1], OVS interface name : [tap1], num binding lports : [1]
primary lport : [vm1]
----------------------------------------
name: [away], OVS interface name : [NULL], num binding lports : [1]
no primary lport
----------------------------------------
`;

  expect(parseLocalBindings(text)).toEqual([
    { name: 'ghost', interfaceName: 'tapghost', bindings: 0, primaryPort: undefined },
    { name: 'vm1', interfaceName: 'tap1', bindings: 1, primaryPort: 'vm1' },
    { name: 'away', interfaceName: undefined, bindings: 1, primaryPort: undefined },
  ]);
});

it('reads the zones of connection tracking', () => {
  const text = 'vm2 4\r\na6317e55-db4c-4e87-8faa-75ca55984f93_snat 7\nln1 15\n';

  expect(parseConntrackZones(text)).toEqual(
    new Map([
      ['vm2', 4],
      ['a6317e55-db4c-4e87-8faa-75ca55984f93_snat', 7],
      ['ln1', 15],
    ]),
  );
});
