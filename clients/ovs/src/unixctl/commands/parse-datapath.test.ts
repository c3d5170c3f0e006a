import { expect, it } from 'vitest';

import { parseDatapathCounters, parseDatapaths, parseForwardingTable } from './parse-datapath.ts';

it('reads what a bridge learned, and what it was told', () => {
  const text = ` port  VLAN  MAC                Age
    1     5  00:00:00:00:00:09  static
LOCAL     0  b2:5d:1d:52:c5:4f   11
`;

  expect(parseForwardingTable(text)).toEqual([
    { port: '1', vlan: 5, mac: '00:00:00:00:00:09', ageSeconds: undefined },
    { port: 'LOCAL', vlan: 0, mac: 'b2:5d:1d:52:c5:4f', ageSeconds: 11 },
  ]);
});

it('reads datapaths with their bridges and ports', () => {
  const text = `netdev@ovs-netdev: hit:12 missed:4
  br-ex:
    br-ex 65534/1: (dummy-internal)
    p-ex-int 1/none: (patch: peer=p-int-ex)
  br-int:
    tap1 2/9: (system)
system@ovs-system: hit:0 missed:0
`;

  expect(parseDatapaths(text)).toEqual([
    {
      name: 'netdev@ovs-netdev',
      hits: 12n,
      misses: 4n,
      bridges: [
        {
          name: 'br-ex',
          ports: [
            { name: 'br-ex', openFlowPort: 65_534, datapathPort: 1, type: 'dummy-internal' },
            { name: 'p-ex-int', openFlowPort: 1, datapathPort: undefined, type: 'patch' },
          ],
        },
        { name: 'br-int', ports: [{ name: 'tap1', openFlowPort: 2, datapathPort: 9, type: 'system' }] },
      ],
    },
    { name: 'system@ovs-system', hits: 0n, misses: 0n, bridges: [] },
  ]);
});

it('reads what became of packets', () => {
  const text = `netdev@ovs-netdev:
  lookups: hit:115924027 missed:269 lost:3
  flows: 4
  port 0: ovs-netdev (dummy-internal)
  port 9: tap1
`;

  expect(parseDatapathCounters(text)).toEqual([
    { name: 'netdev@ovs-netdev', hits: 115_924_027n, misses: 269n, lost: 3n, flows: 4n },
  ]);
});
