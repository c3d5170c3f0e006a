import { join } from 'node:path';

import type { OvsNode } from '@smalt/bed-ovs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type BusyNode, startBusyNode } from '../fixtures/busy-node.ts';
import {
  connectionStatus,
  dumpLocalBindings,
  findDaemon,
  isPaused,
  listConntrackZones,
  openOpenFlow,
  type OpenFlowConnection,
  openUnixctl,
  readCoverageCounter,
  readDatapathCounters,
  readVersion,
  showBond,
  showBonds,
  showCoverage,
  showDatapaths,
  showForwardingTable,
  showLacp,
  showMemory,
  traceFlow,
  type TracePacket,
  type TraceReport,
  type Unixctl,
} from '../index.ts';

describe('the daemons of Open vSwitch and OVN', () => {
  let bed: BusyNode;
  let node: OvsNode;
  let vswitchd: Unixctl;

  beforeAll(async () => {
    bed = await startBusyNode();
    ({ node } = bed);
    vswitchd = openUnixctl({ socket: await socketOf('ovs-vswitchd') });
  });

  afterAll(async () => {
    await vswitchd[Symbol.asyncDispose]();
    await bed[Symbol.asyncDispose]();
  });

  describe('a trace', () => {
    it('follows a packet over the router to the other network', async () => {
      const report = await trace(ping({ inPort: 'tap1', ipDestination: '192.168.8.9' }), [
        ['trk', 'est'],
        ['trk', 'est'],
      ]);

      expect(report.verdict).toEqual({ kind: 'output', ports: ['tap9'] });
      expect(report.passes.length).toBeGreaterThan(1);
      expect(report.passes[0]).toMatchObject({ bridge: 'br-int', resumedBy: undefined });
      expect(report.passes[1]?.resumedBy).toMatch(/^recirc\(0x[0-9a-f]+\) - resume conntrack with ct_state=est\|trk/);
    });

    it('shows the table and flow that drop what a rule forbids', async () => {
      const report = await trace({
        ...ping({ inPort: 'tap2', ethernetDestination: MAC_1, ipSource: '192.168.7.2', ipDestination: '192.168.7.1' }),
        protocol: 'tcp',
        destinationPort: 23,
        tcpFlags: ['syn'],
      });

      expect(report.verdict).toMatchObject({ kind: 'drop', why: /^the flow of table \d+ with priority 2000 / });
    });

    it('shows a packet that OVN answers itself as one for the controller', async () => {
      const report = await trace({
        ...ping({ inPort: 'tap1', ethernetDestination: 'ff:ff:ff:ff:ff:ff' }),
        protocol: 'udp',
        ipSource: '0.0.0.0',
        ipDestination: '255.255.255.255',
        sourcePort: 68,
        destinationPort: 67,
      });

      expect(report.verdict).toEqual({ kind: 'controller' });
    });

    it('names every step by a flow that is there', async () => {
      const report = await trace(ping({ inPort: 'tap1', ipDestination: '192.168.8.9' }));
      const cookies = new Set<bigint>();
      await using bridge = await open('br-int');
      for await (const flow of bridge.flows()) cookies.add(flow.cookie);

      const steps = report.passes.flatMap((pass) => pass.steps).filter((step) => step.kind === 'table');

      expect(steps.length).toBeGreaterThan(20);
      expect(steps.filter((step) => step.cookie !== undefined && !cookies.has(step.cookie))).toEqual([]);
    });

    it.each<{ what: string; packet: TracePacket }>([
      {
        what: 'an ARP request',
        packet: {
          inPort: 'tap1',
          protocol: 'arp',
          arpOperation: 1,
          ipSource: '192.168.7.1',
          ipDestination: '192.168.7.254',
          arpSourceMac: MAC_1,
          arpTargetMac: MAC_1,
          ethernetSource: MAC_1,
          ethernetDestination: 'ff:ff:ff:ff:ff:ff',
        },
      },
      {
        what: 'a neighbor solicitation',
        packet: {
          inPort: 'tap9',
          protocol: 'icmp6',
          icmpType: 135,
          icmpCode: 0,
          neighborTarget: 'fd00::1',
          ipSource: 'fd00::9',
          ipDestination: 'ff02::1',
          ttl: 255,
        },
      },
      { what: 'a packet with a tag', packet: { inPort: 1, vlan: 5, vlanPriority: 2, ethernetType: 0x1234 } },
      {
        what: 'a packet from a tunnel',
        packet: {
          inPort: 1,
          tunnelId: 5n,
          tunnelSource: '1.2.3.4',
          tunnelDestination: '4.3.2.1',
          metadata: 7,
          packetMark: 3,
          registers: { 0: 1, 15: 0xffff_ffff },
        },
      },
      {
        what: 'a packet of the bridge itself',
        packet: { inPort: 'LOCAL', protocol: 'sctp6', sourcePort: 1, destinationPort: 2, typeOfService: 32 },
      },
      {
        what: 'a packet with many flags',
        packet: { inPort: 'tap1', protocol: 'tcp6', tcpFlags: ['syn', 'ack', 'ece', 'cwr', 'ns'] },
      },
      { what: 'a packet without flags', packet: { inPort: 'tap1', protocol: 'tcp', tcpFlags: [] } },
      { what: 'another protocol', packet: { inPort: 'tap1', protocol: 'ip', ipProtocol: 47 } },
    ])('is understood by the switch for $what', async ({ packet }) => {
      const report = await trace(packet);

      expect(report.passes[0]?.datapathActions).toBeDefined();
    });

    it('passes on what the switch says against it', async () => {
      const tracing = traceFlow(vswitchd, { bridge: 'br-nope', packet: { inPort: 1 } });

      await expect(tracing).rejects.toMatchObject({ code: 'refused', message: 'br-nope: unknown bridge' });
    });
  });

  describe('the commands of the daemons', () => {
    it('tell their versions', async () => {
      await using database = openUnixctl({ socket: await socketOf('ovsdb-server') });
      await using ovn = openUnixctl({ socket: await socketOf('ovn-controller') });

      expect(await readVersion(vswitchd)).toMatchObject({ program: 'ovs-vswitchd', version: /^\d+\.\d+/ });
      expect(await readVersion(database)).toMatchObject({ program: 'ovsdb-server' });
      expect(await readVersion(ovn)).toMatchObject({ program: 'ovn-controller', version: /^\d+\.\d+/ });
    });

    it('tell what ovn-controller has bound, and whether it is at work', async () => {
      await using ovn = openUnixctl({ socket: await socketOf('ovn-controller') });

      expect(await connectionStatus(ovn)).toBe('connected');
      expect(await dumpLocalBindings(ovn)).toEqual([
        { name: 'ghost', interfaceName: 'tapghost', bindings: 0, primaryPort: undefined },
        ...['1', '2', '9'].map((number) => ({
          name: `vm${number}`,
          interfaceName: `tap${number}`,
          bindings: 1,
          primaryPort: `vm${number}`,
        })),
      ]);
      expect((await listConntrackZones(ovn)).get('vm1')).toBeGreaterThan(0);
      expect(await isPaused(ovn)).toBe(false);
      await bed.controller.pause();
      expect(await isPaused(ovn)).toBe(true);
      await bed.controller.resume();
    });

    it('tell what ovs-vswitchd holds', async () => {
      const memory = await showMemory(vswitchd);

      expect(memory.get('ofconns')).toBeGreaterThanOrEqual(3);
      expect((await showCoverage(vswitchd)).get('bridge_reconfigure')).toBeGreaterThan(0n);
      expect(await readCoverageCounter(vswitchd, 'bridge_reconfigure')).toBeGreaterThan(0n);
      expect(await readCoverageCounter(vswitchd, 'no_such_counter')).toBeUndefined();
      expect(await readDatapathCounters(vswitchd)).toMatchObject([{ lost: 0n }]);
    });

    it('tell bridges, ports and what was learned', async () => {
      const datapaths = await showDatapaths(vswitchd);
      await vswitchd.run('fdb/add', ['br-many', 'many1', '5', '00:00:00:00:00:09']);

      const bridge = datapaths.flatMap(({ bridges }) => bridges).find(({ name }) => name === 'br-many');

      expect(bridge?.ports.map(({ name }) => name)).toEqual(['br-many', 'many1', 'many2']);
      expect(await showForwardingTable(vswitchd, 'br-many')).toEqual([
        { port: expect.stringMatching(/^\d+$/), vlan: 5, mac: '00:00:00:00:00:09', ageSeconds: undefined },
      ]);
    });

    it('tell bonds as they are', async () => {
      await expect.poll(async () => (await showBond(vswitchd, 'bond0'))?.lacpStatus).toBe('negotiated');

      const bond = await showBond(vswitchd, 'bond0');
      const ports = await showLacp(vswitchd);

      expect(bond?.members).toHaveLength(2);
      expect((await showBonds(vswitchd)).map(({ name }) => name)).toContain('bond0');
      expect(ports.find(({ name }) => name === 'bond0')?.members).toHaveLength(2);
      expect(await showBond(vswitchd, 'bond9')).toBeUndefined();
    });
  });

  describe('ovs-vswitchd in trouble', () => {
    it('that is stopped is noticed by who asks it', async () => {
      await using bridge = await open('br-many', 300);
      await using control = openUnixctl({ socket: await socketOf('ovs-vswitchd'), requestTimeoutMs: 300 });
      await node.kill('ovs-vswitchd', 'SIGSTOP');

      const asked = await Promise.allSettled([bridge.tableStats(), readVersion(control), open('br-many', 300)]);

      await node.kill('ovs-vswitchd', 'SIGCONT');
      expect(asked).toMatchObject(asked.map(() => ({ status: 'rejected', reason: { code: 'timeout' } })));
      expect([bridge.isClosed, control.isClosed]).toEqual([true, true]);
    });

    it('that is killed is gone though its files stay, and is found again', async () => {
      await using bridge = await open('br-many');
      const before = await find('ovs-vswitchd');
      await node.kill('ovs-vswitchd', 'SIGKILL');

      const after = await find('ovs-vswitchd');

      expect(before).toMatchObject({ kind: 'running', isProcessSeen: true });
      expect(after).toMatchObject({ kind: 'gone', why: /which is no ovs-vswitchd any more/ });
      await expect(bridge.tableStats()).rejects.toMatchObject({ code: 'closed' });
      await expect(vswitchd.run('version')).rejects.toMatchObject({ code: 'closed' });
      await node.start('ovs-vswitchd');
      expect(await find('ovs-vswitchd')).toMatchObject({ kind: 'running', processId: node.pids['ovs-vswitchd'] });
    });
  });

  function find(name: string): ReturnType<typeof findDaemon> {
    return findDaemon({ name, directories: [node.runDirectory] });
  }

  async function socketOf(name: string): Promise<string> {
    const sighting = await find(name);
    if (sighting.kind !== 'running') throw new Error(`${name} does not run`);
    return sighting.socket;
  }

  function open(bridge: string, requestTimeoutMs = 10_000): Promise<OpenFlowConnection> {
    return openOpenFlow({ socket: join(node.runDirectory, `${bridge}.mgmt`), requestTimeoutMs });
  }

  function trace(packet: TracePacket, conntrack: readonly (readonly ('trk' | 'est')[])[] = []): Promise<TraceReport> {
    return traceFlow(vswitchd, { bridge: 'br-int', packet, conntrack });
  }
});

const MAC_1 = '52:54:00:00:00:01';

function ping(fields: Partial<TracePacket>): TracePacket {
  return {
    inPort: 'tap1',
    protocol: 'icmp',
    ethernetSource: fields.inPort === 'tap2' ? '52:54:00:00:00:02' : MAC_1,
    ethernetDestination: '00:00:00:00:ff:01',
    ipSource: '192.168.7.1',
    ttl: 64,
    ...fields,
  };
}
