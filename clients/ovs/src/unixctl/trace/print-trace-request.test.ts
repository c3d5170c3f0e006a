import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isOvsError } from '../../ovs-error.ts';
import { printPacket, printTraceParameters } from './print-trace-request.ts';
import type { TracePacket, TraceRequest } from './trace-request.ts';

describe('a packet to trace', () => {
  it.each<{ packet: TracePacket; text: string }>([
    { packet: { inPort: 'tap-vm1' }, text: 'in_port="tap-vm1"' },
    { packet: { inPort: 7 }, text: 'in_port=7' },
    { packet: { inPort: 'LOCAL' }, text: 'in_port=LOCAL' },
    { packet: { inPort: 1, ethernetType: 0x806 }, text: 'in_port=1,dl_type=0x0806' },
    {
      packet: { inPort: 1, protocol: 'tcp', ipSource: '10.0.0.1', destinationPort: 22, tcpFlags: ['syn', 'ack'] },
      text: 'in_port=1,tcp,nw_src=10.0.0.1,tcp_dst=22,tcp_flags=syn|ack',
    },
    {
      packet: { inPort: 1, protocol: 'udp6', ipDestination: 'fe80::1', sourcePort: 53, ttl: 64 },
      text: 'in_port=1,udp6,ipv6_dst=fe80::1,nw_ttl=64,udp_src=53',
    },
    {
      packet: { inPort: 1, protocol: 'icmp6', icmpType: 135, icmpCode: 0, neighborTarget: 'fe80::1' },
      text: 'in_port=1,icmp6,icmpv6_type=135,icmpv6_code=0,nd_target=fe80::1',
    },
    {
      packet: { inPort: 1, protocol: 'arp', arpOperation: 1, ipSource: '10.0.0.1', arpSourceMac: '52:54:00:00:00:01' },
      text: 'in_port=1,arp,arp_op=1,arp_spa=10.0.0.1,arp_sha=52:54:00:00:00:01',
    },
    {
      packet: { inPort: 1, tunnelId: 5, metadata: 0xffff_ffff_ffff_ffffn, registers: { 0: 1, 15: 0xffff_ffff } },
      text: 'in_port=1,tun_id=0x5,metadata=0xffffffffffffffff,reg0=0x1,reg15=0xffffffff',
    },
    { packet: { inPort: 1, vlan: 5, protocol: 'ip', ipProtocol: 47 }, text: 'in_port=1,dl_vlan=5,ip,nw_proto=47' },
  ])('is written as $text', ({ packet, text }) => {
    expect(printPacket(packet)).toBe(text);
  });

  it('is asked for with what connection tracking is to say', () => {
    const parameters = printTraceParameters({
      ...request({ inPort: 1 }),
      conntrack: [
        ['trk', 'est'],
        ['trk', 'new'],
      ],
    });

    expect(parameters).toEqual(['--names', 'br-int', 'in_port=1', '--ct-next', 'trk,est', '--ct-next', 'trk,new']);
  });
});

describe('a hostile packet', () => {
  it.each<{ packet: TracePacket; complaint: string }>([
    { packet: { inPort: 'tap1",actions=drop' }, complaint: 'inPort is "tap1\\",actions=drop"' },
    { packet: { inPort: '-generate' }, complaint: 'inPort is "-generate"' },
    { packet: { inPort: 70_000 }, complaint: 'inPort is 70000: give a whole number from 0 to 65535' },
    { packet: { inPort: 1, ethernetSource: '52:54:00:00:00:01,tcp' }, complaint: 'ethernetSource is' },
    { packet: { inPort: 1, protocol: 'ip', ipSource: '10.0.0.1/8' }, complaint: 'without a mask' },
    { packet: { inPort: 1, protocol: 'ip', ipSource: 'fe80::1' }, complaint: 'give an IPv4 address' },
    { packet: { inPort: 1, protocol: 'ipv6', ipSource: 'fe80::1%eth0,x' }, complaint: 'give an IPv6 address' },
    { packet: { inPort: 1, ipSource: '10.0.0.1' }, complaint: 'give protocol too' },
    { packet: { inPort: 1, destinationPort: 22 }, complaint: 'sourcePort needs a protocol with ports' },
    { packet: { inPort: 1, protocol: 'udp', tcpFlags: ['syn'] }, complaint: 'tcpFlags needs protocol tcp' },
    { packet: { inPort: 1, protocol: 'tcp', icmpType: 8 }, complaint: 'icmpType needs protocol icmp' },
    { packet: { inPort: 1, protocol: 'tcp', destinationPort: 65_536 }, complaint: 'destinationPort is 65536' },
    { packet: { inPort: 1, protocol: 'tcp', ipProtocol: 6 }, complaint: 'ipProtocol is 6: leave it out' },
    { packet: { inPort: 1, protocol: 'ip', ethernetType: 0x800 }, complaint: 'ethernetType is 2048: leave it out' },
    { packet: { inPort: 1, protocol: 'ip', typeOfService: 3 }, complaint: 'two lowest bits' },
    { packet: { inPort: 1, metadata: 1n << 64n }, complaint: 'metadata is 18446744073709551616' },
    { packet: { inPort: 1, tunnelId: 1.5 }, complaint: 'tunnelId is 1.5' },
    { packet: { inPort: 1, registers: { 16: 1 } }, complaint: 'registers is 16' },
    {
      packet: { inPort: 1, protocol: 'tcp,actions' as 'tcp' },
      complaint: 'protocol is "tcp,actions": give one of arp',
    },
    { packet: { inPort: 1, protocol: 'tcp', tcpFlags: ['syn,x' as 'syn'] }, complaint: 'tcpFlags is "syn,x"' },
  ])('is refused: $complaint', ({ packet, complaint }) => {
    const print = () => printTraceParameters(request(packet));

    expect(print).toThrow(complaint);
    expect(print).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });

  it.each<{ wish: Partial<TraceRequest>; complaint: string }>([
    { wish: { bridge: '../br-int' }, complaint: 'bridge is "../br-int"' },
    { wish: { bridge: '-consistent' }, complaint: 'bridge is' },
    { wish: { bridge: 'br int' }, complaint: 'bridge is' },
    { wish: { conntrack: [['trk,-x' as 'trk']] }, complaint: 'conntrack[0] is "trk,-x"' },
    { wish: { conntrack: [[]] }, complaint: 'conntrack[0]' },
    { wish: { conntrack: Array.from({ length: 17 }, () => ['trk'] as const) }, complaint: 'give 16 states at most' },
  ])('is refused with what stands beside it: $complaint', ({ wish, complaint }) => {
    expect(() => printTraceParameters({ ...request({ inPort: 1 }), ...wish })).toThrow(complaint);
  });

  it('never smuggles in a second field, whatever text it carries', () => {
    const fields = fc.constantFrom(
      'inPort',
      'ethernetSource',
      'ipSource',
      'arpSourceMac',
      'tunnelSource',
      'neighborTarget',
    );
    fc.assert(
      fc.property(fields, fc.string({ maxLength: 40 }), (field, text) => {
        const written = tryPrint({ inPort: 1, [field]: text });

        // A value that was let through stands alone between its name and the next comma.
        expect(written === undefined || /^[\w.]+=("[\w.:@+-]+"|[\w.:]+)(,\w+=[\w.:]+)?$/.test(written)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

function request(packet: TracePacket): TraceRequest {
  return { bridge: 'br-int', packet };
}

function tryPrint(packet: TracePacket): string | undefined {
  try {
    return printPacket(packet);
  } catch (error) {
    if (isOvsError(error, 'invalid-argument')) return undefined;
    throw error;
  }
}
