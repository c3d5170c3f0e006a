import { existsSync } from 'node:fs';
import { appendFile, chown, mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { findCluster, startCluster, type Cluster, type ClusterNode } from '@smalt/bed-kubernetes';
import { startPostgres } from '@smalt/bed-postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findFluentBit } from './find-fluent-bit.ts';
import { FLUENT_BIT_IMAGE, makeFluentBitImage } from './fixtures/fluent-bit-image.ts';
import { haVolume } from './fixtures/ha-volume.ts';
import { kubectl } from './fixtures/kubernetes-tools.ts';
import { letPodsReach } from './fixtures/let-pods-reach.ts';
import { startSwitch } from './fixtures/start-switch.ts';
import { findHelm, renderChart } from './helm.ts';

const TIMEOUT_MS = 900_000;
const READY_MS = 600_000;
/** Those that the chart names for these parts, and no others in their place. */
const IMAGES = [
  'smalt',
  'smalt-handler',
  'smalt-node-agent',
  'smalt-ovs-agent',
  'smalt-ha-service',
  'smalt-libvirt',
].map((name) => resolve(import.meta.dirname, `../../.cache/images/${name}.tar`));
const programs = findCluster();
const helm = findHelm();
const fluentBit = findFluentBit();
const isReady = programs !== undefined && helm !== undefined && IMAGES.every((image) => existsSync(image));
const NOBODY = 65_532;
const BRIDGE = 'br-int';
const HA_AGENT_PORT = 9178;
const HA_SERVICE = 'deployment.apps/smalt-ha-service';
const LIBVIRT = 'daemonset.apps/smalt-libvirt';
const WORKLOADS = [
  'daemonset.apps/smalt-ha-agent',
  LIBVIRT,
  ...(fluentBit === undefined ? [] : ['daemonset.apps/smalt-logs']),
  'daemonset.apps/smalt-node-agent',
  'daemonset.apps/smalt-ovs-agent',
  'daemonset.apps/virt-handler',
  'deployment.apps/smalt-console',
  HA_SERVICE,
  'deployment.apps/smalt-hypervisor-operator',
  'deployment.apps/virt-api',
  'deployment.apps/virt-controller',
];
/** A holder of a Lease that has the lock of its node says the id of it. */
const HOLDS_LOCK = /=\S+ pid \d+ .*#[\da-f]+ /;
/** What takes the place of one replica with a file. */
const DATABASE = 'ha-database';
const REPLICAS = { replicas: 3, store: { kind: 'postgres', postgres: { secret: DATABASE } } };
/** The only node with a libvirtd of its own is the other one. */
const BARE = 'node2';
const GUEST_LOG = '/var/log/libvirt/qemu/demo.log';
/** There is no storage class here. */
const VALUES = {
  certificates: { schedule: '* * * * *' },
  haService: { store: { sqlite: { existingClaim: 'ha' } } },
  haAgent: { enabled: true },
  ovsAgent: { enabled: true },
  libvirt: { managed: { enabled: true, nodeSelector: { 'kubernetes.io/hostname': BARE } } },
  logs: { enabled: fluentBit !== undefined, image: FLUENT_BIT_IMAGE },
};

describe.skipIf(!isReady)(
  'the chart in a cluster (needs npm run bed:kubernetes -- --build and npm run images)',
  { timeout: TIMEOUT_MS },
  () => {
    const owned = new AsyncDisposableStack();
    let cluster: Cluster;

    beforeAll(async () => {
      if (programs === undefined) return;
      const { path: directory } = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-chart-')));
      const collector = fluentBit === undefined ? [] : [await makeFluentBitImage(fluentBit, directory)];
      const options = { nodes: 2, images: [...IMAGES, ...collector], isDurable: false };
      cluster = owned.use(await startCluster(programs, AbortSignal.timeout(READY_MS), options));
      for (const node of cluster.nodes) await prepareNode(node);
      const labels = ['node-role.kubernetes.io/hypervisor=', 'nova.openstack.cloud.sap/virt-driver=kvm'];
      await run('label', 'node', '--all', ...labels);
      await run('create', 'namespace', 'smalt-system');
      for (const object of haVolume('smalt-system'))
        await kubectl(cluster.kubeconfig, ['apply', '-f', '-'], JSON.stringify(object));
    }, TIMEOUT_MS);
    afterAll(() => owned.disposeAsync(), TIMEOUT_MS);

    it('becomes ready, part by part, under the accounts that it makes', async () => {
      const rendered = await renderChart(helm ?? '', { values: VALUES });
      await kubectl(cluster.kubeconfig, ['apply', '--server-side', '-f', '-'], rendered);

      const found = await run('get', 'deployments,daemonsets', '-n', 'smalt-system', '-o', 'name');
      expect(found.trim().split('\n').toSorted()).toEqual(WORKLOADS);
      const late = (
        await Promise.all(
          WORKLOADS.map(async (name) =>
            run(...untilReady(name), '-n', 'smalt-system', `--timeout=${READY_MS / 1_000}s`).then(
              () => [],
              () => [name],
            ),
          ),
        )
      ).flat();
      const words = late.length === 0 ? '' : await told();
      expect({ late, words }).toEqual({ late: [], words: '' });
    });

    it('runs a libvirtd on the node that has none, under an account of its own', async () => {
      expect(await podsOf('smalt-libvirt')).toEqual([`${BARE} smalt-libvirt Running`]);
    });

    it('has agents that hold a lock of their node, for which their images have a program', async () => {
      const path = 'jsonpath={range .items[*]}{.metadata.name}={.spec.holderIdentity}{"\\n"}{end}';
      const locked = async (): Promise<readonly string[]> => {
        const leases = (await run('get', 'leases', '-n', 'smalt-system', '-o', path)).split('\n');
        return leases.filter((lease) => HOLDS_LOCK.test(lease)).map((lease) => lease.slice(0, lease.indexOf('=')));
      };

      const holders = ['node-agent', 'ovs-agent', 'virt-handler'].flatMap((agent) =>
        cluster.nodes.map(({ name }) => `smalt-${agent}-${name}`),
      );
      await expect.poll(locked, { timeout: READY_MS }).toEqual(holders);
    });

    it('has its webhooks answered, and its subresources served', async () => {
      const refused = run('create', 'namespace', 'shop').then(() =>
        kubectl(
          cluster.kubeconfig,
          ['apply', '-f', '-'],
          JSON.stringify({
            apiVersion: 'kubevirt.io/v1',
            kind: 'VirtualMachine',
            metadata: { name: 'web', namespace: 'shop' },
            spec: { runStrategy: 'Sometimes', template: { spec: { domain: { devices: {} } } } },
          }),
        ),
      );

      await expect(refused).rejects.toThrow('spec.runStrategy');
      expect(await run('get', '--raw', '/apis/subresources.kubevirt.io/v1/healthz')).toContain('ok');
    });

    it('tells about each node, and gives it a certificate for its libvirt', async () => {
      const condition = '{.status.conditions[?(@.type=="LibVirtConnection")].status}';

      for (const node of cluster.nodes) {
        await expect
          .poll(() => run('get', 'hypervisor', node.name, '-o', `jsonpath=${condition}`), { timeout: READY_MS })
          .toBe('True');
        await expect
          .poll(() => existsSync(join(node.root, 'etc/pki/libvirt/servercert.pem')), { timeout: READY_MS })
          .toBe(true);
      }
    });

    it.skipIf(fluentBit === undefined)(
      'has a collector on each node, from which comes what pods and libvirt write there',
      async () => {
        const names = cluster.nodes.map(({ name }) => name);
        for (const { root } of cluster.nodes) {
          await mkdir(join(root, GUEST_LOG, '..'), { recursive: true });
          await appendFile(join(root, GUEST_LOG), 'char device redirected\n');
        }
        // A pod that says what is known before.
        await run('create', 'job', 'spoken', '-n', 'smalt-system', '--from=cronjob/smalt-certificates');

        expect(await podsOf('smalt-logs')).toEqual(names.map((name) => `${name} smalt-logs Running`));
        const file = expect.stringMatching(/^\/var\/log\/pods\/smalt-system_spoken-/v);
        const wanted = [
          ...names.map((node) => ({ node, file: GUEST_LOG, message: 'char device redirected' })),
          { node: expect.stringMatching(/^node[12]$/v), file, level: 'info', msg: 'the key is there' },
        ].map((each): unknown => expect.objectContaining(each));
        await expect.poll(collected, { timeout: READY_MS }).toEqual(expect.arrayContaining(wanted));
      },
    );

    it('tells about the switch of the node', async () => {
      const [node] = cluster.nodes;
      const words = '{.status.conditions[?(@.type=="OVSDBConnected")].status} {.status.bridges[*].name}';

      await expect
        .poll(() => run('get', 'ovsnode', node.name, '-n', 'smalt-system', '-o', `jsonpath=${words}`), {
          timeout: READY_MS,
        })
        .toBe(`True ${BRIDGE}`);
    });

    it('tells the HA service about the node, by an agent that has no rights but its own name', async () => {
      const [node] = cluster.nodes;
      const metrics = async (): Promise<string> =>
        await (await fetch(`http://${node.address}:${HA_AGENT_PORT}/metrics`)).text();

      await expect.poll(metrics, { timeout: READY_MS }).toMatch(/^smalt_ha_agent_records_delivered_total [1-9]/mv);
    });

    it('has three replicas of the HA service on one PostgreSQL, of which another leads when the first goes', async () => {
      const { address } = cluster.network;
      const { url } = owned.use(await startPostgres({ address }));
      for (const node of cluster.nodes) await letPodsReach(node, address);
      const words = ['-n', 'smalt-system', `--from-literal=url=${url}?sslmode=disable`];
      await run('create', 'secret', 'generic', DATABASE, ...words);
      const rendered = await renderChart(helm ?? '', { values: { ...VALUES, haService: REPLICAS } });
      await kubectl(cluster.kubeconfig, ['apply', '--server-side', '-f', '-'], rendered);

      await run('rollout', 'status', HA_SERVICE, '-n', 'smalt-system', `--timeout=${READY_MS / 1_000}s`);
      await expect.poll(async () => (await haPods()).length, { timeout: READY_MS }).toBe(REPLICAS.replicas);
      await expect.poll(async () => (await haPods()).includes(await haLeader()), { timeout: READY_MS }).toBe(true);
      const first = await haLeader();
      await run('delete', 'pod', first, '-n', 'smalt-system', '--wait=false');

      await expect
        .poll(async () => (await haPods()).filter((name) => name !== first).includes(await haLeader()), {
          timeout: READY_MS,
        })
        .toBe(true);
    });

    async function haPods(): Promise<readonly string[]> {
      const selector = ['-l', 'app.kubernetes.io/name=smalt-ha-service', '-o', 'jsonpath={.items[*].metadata.name}'];
      return (await run('get', 'pods', '-n', 'smalt-system', ...selector)).split(' ');
    }

    /** The pod that holds the Lease: a name of a pod, and a word of its own behind it. */
    async function haLeader(): Promise<string> {
      const path = 'jsonpath={.spec.holderIdentity}';
      return (await run('get', 'lease', 'smalt-ha-service', '-n', 'smalt-system', '-o', path)).split('_')[0] ?? '';
    }

    /** The pods of a part: the node, the account and the phase of each. */
    async function podsOf(name: string): Promise<readonly string[]> {
      const path = '{range .items[*]}{.spec.nodeName} {.spec.serviceAccountName} {.status.phase}{"\\n"}{end}';
      const selector = ['-l', `app.kubernetes.io/name=${name}`, '-o', `jsonpath=${path}`];
      return (await run('get', 'pods', '-n', 'smalt-system', ...selector)).trim().split('\n').toSorted();
    }

    /** What the collectors put out, which is what they print. */
    async function collected(): Promise<readonly object[]> {
      const selector = ['-l', 'app.kubernetes.io/name=smalt-logs', '--tail=-1'];
      const lines = (await run('logs', '-n', 'smalt-system', ...selector)).split('\n');
      return lines.filter((line) => line.startsWith('{')).map((line) => Object(JSON.parse(line)));
    }

    async function run(...words: readonly string[]): Promise<string> {
      return await kubectl(cluster.kubeconfig, words);
    }

    /** What the cluster and the pods say, for whoever looks why. */
    async function told(): Promise<string> {
      const pods = await run('get', 'pods', '-n', 'smalt-system', '-o', 'wide');
      const events = await run('get', 'events', '-n', 'smalt-system', '--sort-by=.lastTimestamp');
      const log = ['logs', '-n', 'smalt-system', '-l', 'app.kubernetes.io/part-of=smalt', '--prefix', '--tail=15'];
      const logs = await run(...log).catch(String);
      return `${pods}\n${events}\n${logs}`;
    }
  },
);

/** A directory for the HA service, wherever it goes; a switch; and a libvirtd, where the chart brings none. */
async function prepareNode(node: ClusterNode): Promise<void> {
  await mkdir(join(node.root, 'var/lib/ha'), { recursive: true });
  await chown(join(node.root, 'var/lib/ha'), NOBODY, NOBODY);
  await startSwitch(node, BRIDGE);
  if (node.name === BARE) return;
  // libvirt looks for the group that it was built with, which not every machine has.
  await appendFile(join(node.root, 'etc/group'), 'libvirt-qemu:x:64055:\n');
  await node.start('libvirtd', ['libvirtd']);
}

/** The words by which kubectl waits for a part. libvirtd is replaced pod by pod by hand, so it has no rollout. */
function untilReady(name: string): readonly string[] {
  return name === LIBVIRT ? ['wait', name, '--for=jsonpath={.status.numberReady}=1'] : ['rollout', 'status', name];
}
