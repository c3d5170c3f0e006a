import { existsSync } from 'node:fs';
import { appendFile, chown, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { findCluster, startCluster, type Cluster } from '@smalt/bed-kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { kubectl } from './fixtures/kubernetes-tools.ts';
import { findHelm, renderChart } from './helm.ts';

const TIMEOUT_MS = 900_000;
const READY_MS = 600_000;
const IMAGES = ['smalt', 'smalt-handler'].map((name) =>
  resolve(import.meta.dirname, `../../.cache/images/${name}.tar`),
);
const programs = findCluster();
const helm = findHelm();
const isReady = programs !== undefined && helm !== undefined && IMAGES.every((image) => existsSync(image));
const NOBODY = 65_532;
const WORKLOADS = [
  'daemonset.apps/smalt-node-agent',
  'daemonset.apps/virt-handler',
  'deployment.apps/smalt-console',
  'deployment.apps/smalt-ha-service',
  'deployment.apps/smalt-hypervisor-operator',
  'deployment.apps/virt-api',
  'deployment.apps/virt-controller',
];
/** There is no storage class here. The images of two parts only have more programs beside ours, which are not run here. */
const VALUES = {
  haService: { image: { repository: 'smalt' }, store: { sqlite: { existingClaim: 'ha' } } },
  nodeAgent: { image: { repository: 'smalt' } },
};
const VOLUME = [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'ha' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/var/lib/ha' },
      claimRef: { name: 'ha', namespace: 'smalt-system' },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'ha', namespace: 'smalt-system' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Gi' } } },
  },
];

describe.skipIf(!isReady)(
  'the chart in a cluster (needs npm run bed:kubernetes and npm run images)',
  { timeout: TIMEOUT_MS },
  () => {
    const owned = new AsyncDisposableStack();
    let cluster: Cluster;

    beforeAll(async () => {
      if (programs === undefined) return;
      cluster = owned.use(
        await startCluster(programs, AbortSignal.timeout(READY_MS), { images: IMAGES, isDurable: false }),
      );
      const [node] = cluster.nodes;
      await mkdir(join(node.root, 'var/lib/ha'), { recursive: true });
      await chown(join(node.root, 'var/lib/ha'), NOBODY, NOBODY);
      // libvirt looks for the group that it was built with, which not every machine has.
      await appendFile(join(node.root, 'etc/group'), 'libvirt-qemu:x:64055:\n');
      await node.start('libvirtd', ['libvirtd']);
      const labels = ['node-role.kubernetes.io/hypervisor=', 'nova.openstack.cloud.sap/virt-driver=kvm'];
      await run('label', 'node', node.name, ...labels);
      await run('create', 'namespace', 'smalt-system');
      for (const object of VOLUME) await kubectl(cluster.kubeconfig, ['apply', '-f', '-'], JSON.stringify(object));
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
            run('rollout', 'status', name, '-n', 'smalt-system', `--timeout=${READY_MS / 1_000}s`).then(
              () => [],
              () => [name],
            ),
          ),
        )
      ).flat();
      const words = late.length === 0 ? '' : await told();
      expect({ late, words }).toEqual({ late: [], words: '' });
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

    it('tells about the node, and gives it a certificate for its libvirt', async () => {
      const [node] = cluster.nodes;
      const condition = '{.status.conditions[?(@.type=="LibVirtConnection")].status}';

      await expect
        .poll(() => run('get', 'hypervisor', node.name, '-o', `jsonpath=${condition}`), { timeout: READY_MS })
        .toBe('True');
      await expect
        .poll(() => existsSync(join(node.root, 'etc/pki/libvirt/servercert.pem')), { timeout: READY_MS })
        .toBe(true);
    });

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
