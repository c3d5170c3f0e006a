import { describe, expect, it } from 'vitest';

import { parseCoverage, parseMemory, parseVersion } from './parse-daemon.ts';

describe('parseVersion', () => {
  it.each([
    { text: 'ovs-vswitchd (Open vSwitch) 3.1.0\n', program: 'ovs-vswitchd', version: '3.1.0' },
    { text: 'ovsdb-server (Open vSwitch) 3.1.0\n', program: 'ovsdb-server', version: '3.1.0' },
    { text: 'ovn-controller 23.03.1\nOpen vSwitch Library 3.1.0\n', program: 'ovn-controller', version: '23.03.1' },
    {
      text: 'ovs-vswitchd (Open vSwitch) 2.17.9-dpdk\r\n'.replace('\r', ''),
      program: 'ovs-vswitchd',
      version: '2.17.9-dpdk',
    },
  ])('reads $version of $program', ({ text, program, version }) => {
    expect(parseVersion(text)).toEqual({ program, version });
  });

  it('does not take anything else for a version', () => {
    expect(parseVersion('who is asking?\n')).toBeUndefined();
  });
});

describe('parseMemory', () => {
  it('reads counts whose names have spaces', () => {
    const text = 'handlers:1 idl-cells-Open_vSwitch:863 ofconns:3 ports:14 revalidators:1 rules:764 udpif keys:4\n';

    expect(parseMemory(text)).toEqual(
      new Map([
        ['handlers', 1],
        ['idl-cells-Open_vSwitch', 863],
        ['ofconns', 3],
        ['ports', 14],
        ['revalidators', 1],
        ['rules', 764],
        ['udpif keys', 4],
      ]),
    );
  });

  it('reads nothing as nothing', () => {
    expect(parseMemory('')).toEqual(new Map());
  });
});

it('reads the totals of coverage', () => {
  const text = `Event coverage, avg rate over last: 5 seconds, last minute, last hour,  hash=7666ddc2:
bridge_reconfigure         0.0/sec     0.033/sec        0.0242/sec   total: 87
ofproto_recv_openflow      0.2/sec     0.233/sec        0.6436/sec   total: 18446744073709551615
136 events never hit
`;

  expect(parseCoverage(text)).toEqual(
    new Map([
      ['bridge_reconfigure', 87n],
      ['ofproto_recv_openflow', 18_446_744_073_709_551_615n],
    ]),
  );
});
