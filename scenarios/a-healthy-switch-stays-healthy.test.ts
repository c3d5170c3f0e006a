import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { startOvnCentral, type OvnCentral, type OvsNode } from '@smalt/bed-ovs';
import type { OVSNodeStatus } from '@smalt/ovs-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { addBridge, startOvsCluster, startWatchedNode, type OvsCluster, type WatchedNode } from './ovs-bed.ts';

const ROOT = resolve(import.meta.dirname, '..');
const run = promisify(execFile);

// Nothing is wrong with this node at any time, and its agent has the settings of every other. What its OVSNode has said
// in the meantime is what the API server itself has told those who watch.
describe('a healthy switch stays healthy', { timeout: 30_000 }, () => {
  const owned = new AsyncDisposableStack();
  let cluster: OvsCluster;
  let central: OvnCentral;
  let here: WatchedNode;
  let node: OvsNode;
  let directory: string;

  beforeAll(async () => {
    directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-healthy-'))).path;
    cluster = owned.use(await startOvsCluster());
    central = owned.use(await startOvnCentral());
    const settings = { name: 'hv1', datapath: 'netdev', encapIp: '10.99.0.1' } as const;
    // Every change is written, so that nothing untrue is left out for want of writes.
    const agent = (each: OvsNode) => ({ writesPerMinute: 600, troubleshooting: troubleshootingOf(each, directory) });
    here = owned.use(await startWatchedNode(cluster, central, { ...settings, agent }));
    ({ node } = here);
    await central.nbctl('ls-add', 'ls0');
    await central.settled();
    await here.watch.until('healthy', isHealthy);
  }, 60_000);

  afterAll(() => owned.disposeAsync());

  beforeEach(async () => {
    await here.watch.until('healthy', isHealthy);
    here.watch.forget();
  });

  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.log(here.log.slice(-20).join(''));
  });

  it('while bridges come and go', async () => {
    for (const name of ['br-one', 'br-two', 'br-three']) {
      await node.vsctl(...addBridge(name));
      await here.watch.until(`with ${name}`, (status) => bridgeOf(status, name)?.status === 'Active');
      await node.vsctl('del-br', name);
      await here.watch.until(`without ${name}`, (status) => bridgeOf(status, name) === undefined);
    }

    expect(complaints(here.watch.history)).toEqual([]);
  });

  it('while a network card is added, which has no link at first, and taken away', async () => {
    await node.addVeth('eno8', 'eno8-far');
    await node.network?.configure('link set eno8-far down');
    await node.vsctl('add-port', 'br-ex', 'eno8');
    await here.watch.until('with eno8', (status) => cardOf(status, 'eno8') === 'Down');
    await node.network?.configure('link set eno8-far up');
    await here.watch.until('with a link', (status) => cardOf(status, 'eno8') === 'Up');
    await node.vsctl('del-port', 'br-ex', 'eno8');
    await here.watch.until('without eno8', (status) => cardOf(status, 'eno8') === undefined);

    expect(complaints(here.watch.history)).toEqual([]);
  });

  it('while a guest is plugged in, its packets are captured, and it is unplugged', async () => {
    const ports = bridgeOf(here.watch.status, 'br-int')?.ports ?? 0;
    const file = join(directory, 'tap1.pcap');
    await central.nbctl('lsp-add', 'ls0', 'vm1');
    await node.plugGuest({ device: 'tap1', logicalPort: 'vm1', mac: '52:54:00:00:00:01' });
    await here.watch.until('with tap1', (status) => bridgeOf(status, 'br-int')?.ports === ports + 1);

    await smalt(cluster, 'capture', 'hv1', 'tap1', '--seconds', '1', '-w', file);
    await node.vsctl('del-port', 'br-int', 'tap1');
    await central.nbctl('lsp-del', 'vm1');
    await here.watch.until('without tap1', (status) => bridgeOf(status, 'br-int')?.ports === ports);

    expect((await readFile(file)).readUInt32LE(0)).toBe(0xa1b2c3d4);
    expect(complaints(here.watch.history)).toEqual([]);
  });

  it('while ovsdb-server is started anew, but for what is true: that its database was away', async () => {
    await node.kill('ovsdb-server');
    await here.watch.until('told', (status) => !isTrue(status, 'OVSDBConnected'));
    await node.start('ovsdb-server');
    await here.watch.until('healthy', isHealthy, 20_000);

    const [away, back] = [
      here.watch.history.filter((status) => !isTrue(status, 'OVSDBConnected')),
      here.watch.history.filter((status) => isTrue(status, 'OVSDBConnected')),
    ];
    expect(complaints(away).filter((complaint) => !complaint.includes('Database'))).toEqual([]);
    // Bridges have no datapath that the new database knows of before ovs-vswitchd has found it.
    expect(complaints(back).filter((complaint) => !complaint.endsWith('Unknown/Settling'))).toEqual([]);
  });
});

/** Everything but what a healthy switch says, once each. */
function complaints(history: readonly OVSNodeStatus[]): readonly string[] {
  const all = history.flatMap(({ conditions = [], issues = [] }) => [
    ...conditions.filter(({ status }) => status !== 'True').map((each) => `${each.type} ${each.status}/${each.reason}`),
    ...issues.map(({ severity, reason, subject }) => `${severity} ${reason} ${subject}`),
  ]);
  return [...new Set(all)];
}

function isHealthy(status: OVSNodeStatus): boolean {
  return isTrue(status, 'Ready') && (status.issues ?? []).length === 0;
}

function isTrue({ conditions = [] }: OVSNodeStatus, type: string): boolean {
  return conditions.some((each) => each.type === type && each.status === 'True');
}

function bridgeOf({ bridges = [] }: OVSNodeStatus, wanted: string): (typeof bridges)[number] | undefined {
  return bridges.find(({ name }) => name === wanted);
}

function cardOf({ interfaces }: OVSNodeStatus, wanted: string): string | undefined {
  return interfaces?.physical?.find(({ name }) => name === wanted)?.status;
}

/** The agent runs the programs of a capture in its own network, which here is not that of the node. */
function troubleshootingOf(node: OvsNode, stateDirectory: string) {
  const inside = ['nsenter', '--target', String(node.requireNetwork('captures').pid), '--net'];
  return {
    listen: '127.0.0.1:0',
    advertise: '127.0.0.1',
    certificateFile: '',
    keyFile: '',
    authorityFile: '',
    audience: '',
    stateDirectory,
    tcpdump: [...inside, 'tcpdump'],
    ip: [...inside, 'ip'],
    mostCaptures: 4,
    mostCaptureSeconds: 60,
    mostCaptureBytes: 1_000_000,
    mostCalls: 16,
    requestsPerSecond: 10,
    timeoutMs: 10_000,
  };
}

async function smalt({ api }: OvsCluster, ...words: readonly string[]): Promise<void> {
  const main = join(ROOT, 'apps/smalt/src/main.ts');
  await run(join(ROOT, 'node_modules/.bin/node'), [main, 'ovs', ...words, '--kubeconfig', api.kubeconfig]);
}
