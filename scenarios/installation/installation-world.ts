import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import {
  findCluster,
  findHelm,
  startCluster,
  untilObject,
  type Cluster,
  type ClusterNode,
} from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { virtualMachineInstanceKind, type VirtualMachineInstance } from '@smalt/vm-api';

import { DEMO_DISK, makeDemoImage } from '../virtual-machines/demo-image.ts';
import type { PageStory } from './followed-in.ts';
import { PageReader } from './page-reader.ts';

/** The archives of all images that run here. */
export const IMAGES: readonly string[] = [
  'smalt',
  'smalt-launcher',
  'smalt-handler',
  'smalt-node-agent',
  'smalt-ha-service',
  'smalt-libvirt',
].map((name) => resolve(import.meta.dirname, `../../.cache/images/${name}.tar`));
const NOBODY = 65_532;
const WAIT_MS = 240_000;
const MOST_BYTES = 64 * 1024 * 1024;
const run = promisify(execFile);

/** What is different here from any other cluster: guests are emulated, there is no storage class, and nobody has much time. */
const VALUES = {
  certificates: { schedule: '* * * * *' },
  haService: { store: { sqlite: { existingClaim: 'ha' } } },
  libvirt: { managed: { enabled: true } },
  virtApi: { config: { machines: { evictionStrategy: 'LiveMigrate' } } },
  virtHandler: { config: { drivers: ['qemu'] } },
};

/** Two nodes without a libvirt of their own, and somebody who reads the pages for those who install. */
export interface InstallationWorld extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly admin: KubeClient;
  readonly reader: PageReader;
  kubectl(words: readonly string[], input?: string): Promise<string>;
  node(name: string | undefined): ClusterNode;
  untilInstance(name: string, isWanted: (instance: VirtualMachineInstance) => boolean): Promise<VirtualMachineInstance>;
}

/** What has to be made before such a world can be, in a sentence; undefined when all is there. */
export function missingForInstallation(): string | undefined {
  if (findCluster() === undefined || findHelm() === undefined)
    return 'npm run bed:kubernetes -- --build builds what it needs';
  return IMAGES.every((path) => existsSync(path)) ? undefined : 'npm run images makes what it needs';
}

export async function startInstallationWorld(story: PageStory, signal: AbortSignal): Promise<InstallationWorld> {
  const [programs, helm] = [findCluster(), findHelm()];
  if (programs === undefined || helm === undefined)
    throw new Error('there is no Kubernetes: npm run bed:kubernetes -- --build');
  await using stack = new AsyncDisposableStack();
  const { path: directory } = stack.use(await mkdtempDisposable(join(tmpdir(), 'installation-')));
  const images = [...IMAGES, await makeDemoImage(directory, signal)];
  const cluster = stack.use(await startCluster(programs, signal, { nodes: 2, images, isDurable: false }));
  const { kubeconfig, nodes } = cluster;
  const config = await loadKubeConfig({ path: kubeconfig, environment: {} });
  const admin = stack.use(new KubeClient({ config, userAgent: 'admin/1' }));
  const objects = admin.resource(virtualMachineInstanceKind);
  await Promise.all(nodes.map(prepare));
  await writeFile(join(directory, 'values.yaml'), JSON.stringify(VALUES));
  const place = { story, directory, kubeconfig, helm, names: NAMES };
  const reader = await PageReader.sitDown(place);
  const owned = stack.move();
  return {
    cluster,
    admin,
    reader,
    kubectl: async (words, input) => {
      const running = run('kubectl', [`--kubeconfig=${kubeconfig}`, ...words], { maxBuffer: MOST_BYTES });
      running.child.stdin?.end(input);
      return (await running).stdout;
    },
    node: (name) => {
      const found = nodes.find((each) => each.name === name);
      if (found === undefined) throw new TypeError(`there is no node ${name}`);
      return found;
    },
    untilInstance: (name, isWanted) =>
      untilObject({ objects, namespace: 'default', name, isWanted, timeoutMs: WAIT_MS }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const NAMES = {
  'registry.example/smalt': 'smalt.local',
  'helm install smalt deploy/helm/smalt': 'helm install smalt deploy/helm/smalt -f values.yaml',
  'quay.io/kubevirt/cirros-container-disk-demo': DEMO_DISK,
  '# hypervisor: qemu ': 'hypervisor: qemu ',
  hv1: 'node1',
};

async function prepare(node: ClusterNode): Promise<void> {
  // The volume of the HA service is a directory of whichever node it is on.
  const path = join(node.root, 'var/lib/ha');
  await mkdir(path, { recursive: true });
  await chown(path, NOBODY, NOBODY);
  // Not every machine that has it can use it, and libvirt would try that anew with each question about its abilities.
  await node.run(['umount', '/dev/kvm']);
  await node.run(['rm', '/dev/kvm']);
}

/** A claim for the HA service, which needs a storage class otherwise. */
export const CLAIM: string = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: [
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
  ],
});
