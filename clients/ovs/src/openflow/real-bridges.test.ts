import { join } from 'node:path';

import type { OvsNode } from '@smalt/bed-ovs';
import { type FlowFilter, printFlow } from '@smalt/openflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type BusyNode, startBusyNode } from '../fixtures/busy-node.ts';
import { MANY_FLOWS } from './fixtures/many-flows.ts';
import { openOpenFlow } from './open-openflow.ts';
import type { OpenFlowConnection } from './openflow-connection.ts';

describe('the bridges of Open vSwitch and OVN', () => {
  let bed: BusyNode;
  let node: OvsNode;

  beforeAll(async () => {
    bed = await startBusyNode();
    ({ node } = bed);
  });

  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
  });

  describe('flows', () => {
    it('of OVN are written as ovs-ofctl writes them, line by line', async () => {
      const lines = await printedFlows('br-int');

      expect(lines.length).toBeGreaterThan(500);
      expect(lines).toEqual(await dumpedFlows('br-int', 'OpenFlow13'));
    });

    it.each(['OpenFlow13', 'OpenFlow14', 'OpenFlow15'])('of every kind are read over %s', async (protocol) => {
      await node.vsctl('set', 'bridge', 'br-many', `protocols=${protocol}`);

      const lines = await printedFlows('br-many');

      await node.vsctl('clear', 'bridge', 'br-many', 'protocols');
      expect(lines).toHaveLength(MANY_FLOWS.length);
      expect(lines).toEqual(await dumpedFlows('br-many', protocol));
    });

    it.each<{ filter: FlowFilter; text: string }>([
      { filter: { table: 2 }, text: 'table=2' },
      { filter: { cookie: 0xffff_ffff_ffff_ffffn }, text: 'cookie=0xffffffffffffffff/-1' },
      { filter: { outPort: 1 }, text: 'out_port=1' },
      { filter: { outGroup: 5 }, text: 'out_group=5' },
      { filter: { match: { inPort: 1 } }, text: 'in_port=1' },
      { filter: { match: { ipSource: '10.0.0.0/8' } }, text: 'ip,nw_src=10.0.0.0/8' },
      { filter: { table: 2, match: { ethernetType: 0x0800, ipProtocol: 6 } }, text: 'table=2,tcp' },
      { filter: { match: { ethernetType: 0x86dd, ipProtocol: 17, destinationPort: 53 } }, text: 'udp6,tp_dst=53' },
      { filter: { match: { registers: { 15: 0xffff_ffff } } }, text: 'reg15=0xffffffff' },
      { filter: { match: { vlan: 10 } }, text: 'dl_vlan=10' },
    ])('are chosen by the switch: $text', async ({ filter, text }) => {
      const lines = await printedFlows('br-many', filter);

      expect(lines.length).toBeGreaterThan(0);
      expect(lines).toEqual(await dumpedFlows('br-many', 'OpenFlow13', text));
    });

    it('are counted without being read', async () => {
      await using bridge = await open('br-int');

      const tables = await bridge.tableStats();
      const total = await bridge.aggregate();
      const inTable8 = await bridge.aggregate({ table: 8 });

      expect(tables.reduce((sum, { flows }) => sum + flows, 0)).toBe(total.flows);
      expect(tables.find(({ table }) => table === 8)?.flows).toBe(inTable8.flows);
    });
  });

  describe('a bridge', () => {
    it('tells its ports and what it is', async () => {
      await using bridge = await open('br-many');

      const ports = await bridge.ports();
      const statistics = await bridge.portStats();
      await bridge.echo();

      expect(ports.map(({ name }) => name).toSorted()).toEqual(['br-many', 'many1', 'many2']);
      expect(new Set(statistics.map(({ port }) => port))).toEqual(new Set(ports.map(({ port }) => port)));
      expect(await bridge.features()).toMatchObject({ tables: 254 });
    });

    it('that allows only OpenFlow 1.0 is refused with what to set', async () => {
      await node.vsctl('set', 'bridge', 'br-many', 'protocols=OpenFlow10');

      const opening = open('br-many');

      await expect(opening).rejects.toMatchObject({
        code: 'unsupported',
        message: /br-many allows OpenFlow 1\.0 only/,
      });
      await node.vsctl('clear', 'bridge', 'br-many', 'protocols');
    });

    it('hangs up when it is deleted', async () => {
      await node.vsctl('add-br', 'br-short', '--', 'set', 'bridge', 'br-short', 'datapath_type=netdev');
      await using bridge = await open('br-short');
      await bridge.tableStats();

      await node.vsctl('del-br', 'br-short');

      await expect.poll(() => bridge.isClosed).toBe(true);
      await expect(bridge.tableStats()).rejects.toMatchObject({ code: 'closed' });
      await expect(open('br-short')).rejects.toMatchObject({ code: 'unreachable' });
    });
  });

  function open(bridge: string): Promise<OpenFlowConnection> {
    return openOpenFlow({ socket: join(node.runDirectory, `${bridge}.mgmt`), requestTimeoutMs: 10_000 });
  }

  async function printedFlows(bridge: string, filter: FlowFilter = {}): Promise<readonly string[]> {
    await using connection = await open(bridge);
    const lines: string[] = [];
    for await (const flow of connection.flows(filter)) lines.push(printFlow(flow));
    return lines.toSorted();
  }

  async function dumpedFlows(bridge: string, protocol: string, filter?: string): Promise<readonly string[]> {
    const which = filter === undefined ? [] : [filter];
    const text = await node.ofctl('dump-flows', bridge, ...which, '-O', protocol, '--no-stats', '--no-names');
    const lines = text.split('\n').map((line) => line.trim());
    return lines.filter((line) => line !== '' && !line.startsWith('OFPST_')).toSorted();
  }
});
