import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { installDefinitions, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { startOvsNode, type OvsNode } from '@smalt/bed-ovs';
import { follow, KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { ovsNodeKind, readOvsDefinitions } from '@smalt/ovs-api';
import { startOvsAgent } from '@smalt/ovs-agent';
import { createLogger } from '@smalt/service-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../../..');
const NODE = join(ROOT, 'node_modules/.bin/node');
const MAIN = join(ROOT, 'apps/smalt/src/main.ts');
const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

const owned = new AsyncDisposableStack();
let server: TestApiServer;
let node: OvsNode;
let directory: string;

beforeAll(async () => {
  const signal = AbortSignal.timeout(110_000);
  server = owned.use(await startTestApiServer({ signal }));
  const kubeConfig = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  const client = owned.use(new KubeClient({ config: kubeConfig, userAgent: 'test/1' }));
  await installDefinitions(client, await readOvsDefinitions(), signal);
  await client.resource(namespaceKind).create({ metadata: { name: 'ovn-system' } });
  node = owned.use(await startOvsNode({ datapath: 'netdev', name: 'n1' }));
  await node.vsctl('add-br', 'br-int', '--', 'set', 'bridge', 'br-int', 'datapath_type=netdev');
  await node.plugGuest({ device: 'tap1', address: '192.168.7.1/24' });
  await node.ofctl('add-flow', 'br-int', 'table=0,priority=60,tcp,actions=drop');
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-ovs-cli-'))).path;
  const inside = ['nsenter', '--target', String(node.requireNetwork('captures').pid), '--net'];
  const options = {
    nodeName: 'n1',
    kubeConfig,
    logger: createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } }),
    runDirectories: [node.runDirectory],
    troubleshooting: {
      listen: '127.0.0.1:0',
      advertise: '127.0.0.1',
      certificateFile: '',
      keyFile: '',
      authorityFile: '',
      audience: '',
      stateDirectory: directory,
      tcpdump: [...inside, 'tcpdump'],
      ip: [...inside, 'ip'],
      mostCaptures: 4,
      mostCaptureSeconds: 60,
      mostCaptureBytes: 1_000_000,
      mostCalls: 16,
      requestsPerSecond: 100,
      timeoutMs: 10_000,
    },
  };
  owned.use(await startOvsAgent(options, new AbortController().signal));
  await annotated(client, signal);
});

afterAll(() => owned.disposeAsync());

describe('smalt ovs trace', () => {
  it('draws the path of a packet, and ends with 6 where that was asked for and it is dropped', async () => {
    const { code, output } = await smalt('trace', 'n1', '--bridge', 'br-int', '--in-port', 'tap1', '--tcp', '--check');

    expect(output).toContain('└─ table 0: tcp, priority 60');
    expect(output).toContain('is dropped');
    expect(output).not.toContain('\u001B[');
    expect(code).toBe(6);
  });

  it.each([
    [['--in-port', 'tap9', '--tcp'], 4, 'br-int has no port "tap9"'],
    [['--in-port', 'tap1', '--tcp', '--udp'], 2, 'a packet is of one protocol, not of --tcp and --udp'],
    [['--in-port', 'tap1', '--vlan', 'x'], 2, '--vlan: "x" is no whole number'],
    [['--in-port', 'tap1', '--ip-src', '1.2.3.4'], 4, 'packet.ipSource: goes with the protocol'],
    [['--tcp'], 2, "required option '--in-port <port>' not specified"],
  ])('refuses %j in one sentence, and ends with %d', async (words, expected, message) => {
    const { code, errors } = await smalt('trace', 'n1', '--bridge', 'br-int', ...words);

    expect([code, errors]).toEqual([expected, expect.stringContaining(message)]);
  });
});

describe('smalt ovs capture', () => {
  it('writes a capture that can be read', async () => {
    const file = join(directory, 'out.pcap');

    const { code, errors } = await smalt('capture', 'n1', 'tap1', '--filter', 'tcp', '--seconds', '1', '-w', file);

    expect([code, errors]).toEqual([0, expect.stringContaining('24 bytes captured')]);
    expect((await readFile(file)).readUInt32LE(0)).toBe(0xa1b2c3d4);
  });

  it('says that a capture is incomplete which ended before its limits, and ends with 7', async () => {
    const file = join(directory, 'cut.pcap');
    const words = ['capture', 'n1', '--bridge', 'br-int', '--filter', 'sctp', '--seconds', '50', '-w', file];
    const program = spawn(NODE, [MAIN, 'ovs', ...words, '--kubeconfig', server.kubeconfig], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const errors = text(program.stderr);
    const exited = once(program, 'exit');
    // Its first words say that packets are listened to.
    await once(program.stderr, 'data');

    await node.vsctl('clear', 'bridge', 'br-int', 'mirrors');

    const [code] = await exited;
    expect(await errors).toMatch(/24 bytes captured\nthe capture is incomplete: it ended before its limits/);
    expect([code, (await readFile(file)).length]).toEqual([7, 24]);
  });

  it('writes nothing where the filter is wrong', async () => {
    const file = join(directory, 'none.pcap');

    const { code, errors } = await smalt('capture', 'n1', 'tap1', '--filter', 'host x', '-w', file);

    expect([code, errors]).toEqual([4, expect.stringContaining('filter: "x" at character 6')]);
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });
});

describe('smalt ovs show and flows', () => {
  it('say when there are more flows than were asked for', async () => {
    const [one, all] = await Promise.all([
      smalt('flows', 'n1', 'br-int', '--limit', '1'),
      smalt('flows', 'n1', 'br-int'),
    ]);

    expect([one.code, one.output.trim().split('\n').length]).toEqual([0, 1]);
    expect(one.errors).toContain('there are more flows than that');
    expect(all.errors).not.toContain('more flows');
  });

  it('print the switch, a bridge, a port and flows', async () => {
    const [whole, bridge, port, flows] = await Promise.all([
      smalt('show', 'n1'),
      smalt('show', 'n1', 'br-int'),
      smalt('show', 'n1', 'tap1'),
      smalt('flows', 'n1', 'br-int', '--table', '0'),
    ]);

    expect(whole.output).toMatch(/^ovs-vswitchd +answering +\d/m);
    expect(bridge.output).toMatch(/^tap1 +tap1 +1 +system +up +up/m);
    expect(port.output).toContain('port tap1 of br-int');
    expect(flows.output).toContain('priority=60,tcp actions=drop');
  });

  it('find the OVSNode where the chart has it', async () => {
    const kubeConfig = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
    await using client = new KubeClient({ config: kubeConfig, userAgent: 'test/1' });
    const nodes = client.resource(ovsNodeKind);
    const { annotations = {} } = (await nodes.get('n1', { namespace: 'ovn-system' })).metadata;
    await client.resource(namespaceKind).create({ metadata: { name: 'smalt-system' } });
    await nodes.create({
      metadata: { name: 'n3', namespace: 'smalt-system', annotations },
      spec: { nodeRef: { name: 'n3' } },
    });

    const [found, elsewhere] = await Promise.all([smalt('show', 'n3'), smalt('show', 'n3', '-n', 'ovn-system')]);

    expect([found.code, found.output]).toEqual([0, expect.stringMatching(/^ovs-vswitchd +answering +\d/m)]);
    expect([elsewhere.code, elsewhere.errors]).toEqual([3, expect.stringContaining('no OVSNode n3 in ovn-system:')]);
  });

  it.each([
    [['show', 'n2'], 3, 'there is no OVSNode n2 in ovn-system or smalt-system'],
    [['show', 'n1', 'nothing'], 3, 'there is no port "nothing" here'],
    [['flows', 'n1', 'br-none'], 4, 'there is no bridge "br-none" here'],
  ])('say what is wrong with %j, and end with %d', async (words, expected, message) => {
    const { code, errors } = await smalt(...words);

    expect([code, errors]).toEqual([expected, expect.stringContaining(message)]);
  });
});

/** Resolves when the OVSNode says where its agent is to be found. */
async function annotated(client: KubeClient, signal: AbortSignal): Promise<void> {
  for await (const events of follow(client.resource(ovsNodeKind), { namespace: 'ovn-system', signal })) {
    for (const event of events) {
      const isNode = event.type === 'ADDED' || event.type === 'MODIFIED';
      if (isNode && event.object.metadata.annotations?.['smalt.dev/troubleshooting-url'] !== undefined) return;
    }
  }
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

async function smalt(...words: readonly string[]): Promise<Ended> {
  const all = [MAIN, 'ovs', ...words, '--kubeconfig', server.kubeconfig];
  const program = spawn(NODE, all, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    once(program, 'exit'),
  ]);
  return { code, output, errors };
}
