import { describe, expect, it } from 'vitest';

import { readMatch } from '../match/read-match.ts';
import { printMatch } from '../match/print-match.ts';
import { encodeFlowRequest, type FlowFilter, type FlowMatchFilter } from './flow-filter.ts';

describe('a request for flows', () => {
  it('asks for all of them with the bytes that Open vSwitch understands', () => {
    expect(encodeFlowRequest().toString('hex')).toBe(
      'ff000000ffffffffffffffff00000000000000000000000000000000000000000001000400000000',
    );
  });

  it('names table, cookie and port', () => {
    const bytes = encodeFlowRequest({ table: 8, cookie: 0xabcdn, cookieMask: 0xff00n, outPort: 65_534 });

    expect(bytes.toString('hex', 0, 32)).toBe('08000000fffffffeffffffff00000000000000000000ab00000000000000ff00');
  });

  it.each<{ match: FlowMatchFilter; asked: string }>([
    { match: { inPort: 3 }, asked: 'in_port=3' },
    { match: { inPort: 65_534 }, asked: 'in_port=LOCAL' },
    { match: { ethernetType: 0x0806 }, asked: 'arp' },
    { match: { vlan: 5, ethernetSource: '52:54:00:00:00:01' }, asked: 'dl_vlan=5,dl_src=52:54:00:00:00:01' },
    {
      match: { ethernetDestination: '01:00:00:00:00:00/01:00:00:00:00:00' },
      asked: 'dl_dst=01:00:00:00:00:00/01:00:00:00:00:00',
    },
    { match: { ipSource: '10.1.2.3/8' }, asked: 'ip,nw_src=10.0.0.0/8' },
    { match: { ipDestination: '10.1.2.3/255.0.255.0' }, asked: 'ip,nw_dst=10.0.2.0/255.0.255.0' },
    { match: { ipSource: 'fe80::1:2/64' }, asked: 'ipv6,ipv6_src=fe80::/64' },
    { match: { ipDestination: '::ffff:1.2.3.4' }, asked: 'ipv6,ipv6_dst=::ffff:1.2.3.4' },
    {
      match: { ipSource: '10.0.0.1', ipProtocol: 6, destinationPort: 22 },
      asked: 'tcp,nw_src=10.0.0.1,tp_dst=22',
    },
    { match: { ethernetType: 0x86dd, ipProtocol: 17, sourcePort: 53 }, asked: 'udp6,tp_src=53' },
    {
      match: { tunnelId: 5n, metadata: 7n, registers: { 0: 1, 15: 2 } },
      asked: 'reg0=0x1,reg15=0x2,tun_id=0x5,metadata=0x7',
    },
  ])('asks for $asked', ({ match, asked }) => {
    const bytes = encodeFlowRequest({ match });
    const length = bytes.readUInt16BE(34);

    expect(printMatch(readMatch(bytes.subarray(32, 32 + length)))).toBe(asked);
    expect(bytes.length % 8).toBe(0);
  });

  it.each<{ filter: FlowFilter; complaint: string }>([
    { filter: { table: 256 }, complaint: 'table is 256: give a whole number from 0 to 255' },
    { filter: { table: 1.5 }, complaint: 'table is 1.5' },
    { filter: { cookie: -1n }, complaint: 'cookie is -1: give a number of 64 bits' },
    { filter: { match: { inPort: -1 } }, complaint: 'inPort is -1' },
    { filter: { match: { ethernetSource: '52:54' } }, complaint: 'ethernetSource is "52:54": give an address' },
    { filter: { match: { ipSource: '10.0.0.1/33' } }, complaint: 'ipSource is "10.0.0.1/33"' },
    { filter: { match: { ipSource: 'fe80::1%eth0' } }, complaint: 'ipSource is "fe80::1%eth0"' },
    { filter: { match: { ipSource: '10.0.0.1/8/8' } }, complaint: 'ipSource' },
    { filter: { match: { ipSource: '10.0.0.1', ipDestination: '::1' } }, complaint: 'of two versions' },
    { filter: { match: { ipSource: '10.0.0.1', ethernetType: 0x86dd } }, complaint: 'ethernetType does not fit' },
    { filter: { match: { ipProtocol: 6 } }, complaint: 'ipProtocol needs ethernetType' },
    { filter: { match: { ethernetType: 0x800, destinationPort: 22 } }, complaint: 'need ipProtocol 6, 17 or 132' },
    { filter: { match: { registers: { 16: 1 } } }, complaint: 'registers is 16' },
    { filter: { match: { metadata: 1n << 64n } }, complaint: 'metadata' },
  ])('refuses what cannot be asked: $complaint', ({ filter, complaint }) => {
    const encode = () => encodeFlowRequest(filter);

    expect(encode).toThrow(complaint);
    expect(encode).toThrow(expect.objectContaining({ code: 'invalid-filter' }));
  });
});
