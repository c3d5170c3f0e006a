import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { startOvnCentral, startOvsNode } from '@smalt/bed-ovs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { addBridge, NAMESPACE, startImpatientAgent, startOvsCluster, type OvsCluster } from './ovs-bed.ts';
import { conditionOf, OvsNodeWatch } from './ovs-node-watch.ts';

const run = promisify(execFile);
const CHASSIS = 'a1b2c3d4-e5f6-7890-abcd-ef1234567890';
const count = expect.any(Number);

// A hypervisor with two guests, a provider network and two cables of 25 Gbit/s.
describe('an OVSNode has every field', { timeout: 60_000 }, () => {
  const owned = new AsyncDisposableStack();
  let cluster: OvsCluster;
  let remote: string;

  beforeAll(async () => {
    cluster = owned.use(await startOvsCluster());
    const central = owned.use(await startOvnCentral());
    remote = central.unixRemote;
    const node = owned.use(await startOvsNode({ datapath: 'netdev', name: 'hypervisor-node-01' }));
    await node.vsctl(...['br-int', 'br-ex', 'br-provider'].flatMap((name) => ['--', ...addBridge(name)]));
    const bond = await node.addBond({ speedMbps: 25_000 });
    await node.joinOvn(central, { chassis: CHASSIS, encapIp: '10.99.0.1' });
    await bond.settled();
    await central.nbctl('ls-add', 'ls0');
    for (const number of [1, 2]) {
      const mac = `52:54:00:00:00:0${number}`;
      const addresses = `${mac} 192.168.7.${number}`;
      await central.nbctl('lsp-add', 'ls0', `vm${number}`, '--', 'lsp-set-addresses', `vm${number}`, addresses);
      await node.plugGuest({ device: `tap${number}`, logicalPort: `vm${number}`, mac });
    }
    await central.nbctl('wait-until', 'Logical_Switch_Port', 'vm2', 'up=true');
    await central.settled();
    owned.use(await startImpatientAgent(cluster, node));
    const watch = owned.use(new OvsNodeWatch(cluster.client, node.name));
    await watch.until('ready', (status) => conditionOf(status, 'Ready').startsWith('True/'), 20_000);
  });

  afterAll(() => owned.disposeAsync());

  it('in what kubectl prints', async () => {
    const words = ['--kubeconfig', cluster.api.kubeconfig, '--namespace', NAMESPACE, 'get', 'ovsnodes', '-o', 'yaml'];

    const { stdout } = await run('kubectl', words);

    const [object]: unknown[] = parse(stdout).items;
    expect(object).toMatchObject({
      apiVersion: 'ovs.c5c3.io/v1alpha1',
      kind: 'OVSNode',
      metadata: { name: 'hypervisor-node-01', namespace: NAMESPACE },
      spec: { nodeRef: { name: 'hypervisor-node-01' } },
      status: {
        ovsVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        ovsdVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        dpdkEnabled: false,
        bridges: [bridge('br-ex'), bridge('br-int'), bridge('br-provider'), bridge('br-tor')],
        interfaces: {
          physical: expect.arrayContaining([card('eno1'), card('eno2')]),
          bonds: expect.arrayContaining([
            { name: 'bond0', mode: 'balance-tcp', status: 'Active', members: 2, activeMembers: 2 },
          ]),
        },
        ovnController: { connected: true, sbConnection: remote, chassisId: CHASSIS },
        flowStats: { totalFlows: count, flowsPerTable: expect.arrayContaining([{ table: 0, flows: count }]) },
        conditions: expect.arrayContaining(
          ['Ready', 'OVSDBConnected', 'OVNControllerConnected', 'AllBridgesHealthy', 'AllBondsHealthy'].map(condition),
        ),
        metrics: {
          packetsReceived: count,
          packetsSent: count,
          bytesReceived: count,
          bytesSent: count,
          drops: count,
          errors: count,
        },
        issues: [],
      },
    });
  });

  it('in columns that tell the most important', async () => {
    const words = ['--kubeconfig', cluster.api.kubeconfig, '--namespace', NAMESPACE, 'get', 'ovsnodes'];

    const { stdout } = await run('kubectl', words);

    expect(stdout).toMatch(/^NAME /);
    expect(stdout).toMatch(/^hypervisor-node-01 .*True/m);
  });
});

function bridge(name: string): object {
  return { name, ports: count, flows: count, datapathType: 'netdev', status: 'Active' };
}

function card(name: string): object {
  return { name, status: 'Up', speed: '25Gbps', bond: 'bond0' };
}

function condition(type: string): object {
  return expect.objectContaining({
    type,
    status: 'True',
    reason: expect.stringMatching(/^[A-Z]\w+$/),
    message: expect.any(String),
    lastTransitionTime: expect.any(String),
    observedGeneration: count,
  });
}
