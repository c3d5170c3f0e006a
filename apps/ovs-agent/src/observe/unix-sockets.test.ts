import { expect, it } from 'vitest';

import { countConnected, managementPath, parseUnixSockets } from './unix-sockets.ts';

const TABLE = `Num       RefCount Protocol Flags    Type St Inode Path
0000000047a3958e: 00000003 00000000 00000000 0001 03 13587523
000000001cb4b59c: 00000002 00000000 00010000 0001 01 13591346 /run/openvswitch/br-int.mgmt
00000000f5fba0d5: 00000002 00000000 00010000 0001 01 13591348 /run/openvswitch/br-int.snoop
000000009b73b256: 00000003 00000000 00000000 0001 03   591446 /run/openvswitch/br-int.mgmt
0000000073d0df12: 00000003 00000000 00000000 0001 03 13591426 /run/openvswitch/br-int.mgmt
000000007fac48dd: 00000003 00000000 00000000 0001 03 13591429 /run/openvswitch/br-ex.mgmt
000000007fac48de: 00000002 00000000 00010000 0001 01 13591430 /other dir/br-int.mgmt
000000007fac48df: 00000002 00000000 00000000 0001 02 13591431 /run/openvswitch/br-int.mgmt
garbage
`;

it('counts who is connected to one bridge, and neither those who listen nor those on other bridges', () => {
  const sockets = parseUnixSockets(TABLE);

  expect(countConnected(sockets, '/run/openvswitch/br-int.mgmt')).toBe(2);
  expect(countConnected(sockets, '/run/openvswitch/br-ex.mgmt')).toBe(1);
  expect(sockets.filter(({ state }) => state === 'listening')).toHaveLength(3);
});

it.each([
  { directories: ['/var/run/openvswitch', '/run/openvswitch'], bridge: 'br-int', path: '/run/openvswitch/br-int.mgmt' },
  { directories: ['/other dir'], bridge: 'br-int', path: '/other dir/br-int.mgmt' },
  { directories: ['/nowhere'], bridge: 'br-int', path: undefined },
  { directories: ['/run/openvswitch'], bridge: 'br-none', path: undefined },
])('finds the socket of $bridge in $directories as $path', ({ directories, bridge, path }) => {
  expect(managementPath(parseUnixSockets(TABLE), bridge, directories)).toBe(path);
});

it('takes the only socket of that name wherever it is: a container may call its directory otherwise', () => {
  const [, , listening = ''] = TABLE.split('\n');

  expect(managementPath(parseUnixSockets(listening), 'br-int', ['/nowhere'])).toBe('/run/openvswitch/br-int.mgmt');
});
