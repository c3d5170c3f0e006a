import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import {
  ChartAccounts,
  findCluster,
  installDefinitions,
  startCluster,
  untilObject,
  type Cluster,
  type ClusterNode,
} from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { createLogger, type Logger } from '@smalt/service-runtime';
import { startVirtController } from '@smalt/virt-controller';
import { DEFAULT_CLUSTER_SETTINGS } from '@smalt/vm-admission';
import {
  HypervisorDriver,
  readVmDefinitions,
  virtualMachineInstanceKind,
  type VirtualMachineInstance,
} from '@smalt/vm-api';
import { parseAllDocuments } from 'yaml';

import { makeDemoImage } from './demo-image.ts';
import { deployVirtApi, SYSTEM_NAMESPACE } from './deploy-virt-api.ts';
import { startNodeLibvirt } from './node-libvirt.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const IMAGES = ['smalt-launcher', 'smalt-handler'].map((name) => join(REPOSITORY, '.cache/images', `${name}.tar`));
const RENDERED = join(REPOSITORY, 'deploy/smalt.yaml');
const WAIT_MS = 180_000;
const run = promisify(execFile);

/** A cluster whose kubelet runs launcher pods: virt-handler is a real pod, as the chart renders it. */
export interface KubeletWorld extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly node: ClusterNode;
  readonly admin: KubeClient;
  kubectl(words: readonly string[], input?: string): Promise<string>;
  untilInstance(
    name: string,
    isWanted: (instance: VirtualMachineInstance) => boolean,
    timeoutMs?: number,
  ): Promise<VirtualMachineInstance>;
}

/** What has to be made before such a world can be, in a sentence; undefined when all is there. */
export function missingForKubelet(): string | undefined {
  if (findCluster() === undefined) return 'npm run bed:kubernetes -- --build builds what it needs';
  return IMAGES.every((path) => existsSync(path)) ? undefined : 'npm run images makes what it needs';
}

export async function startKubeletWorld(signal: AbortSignal): Promise<KubeletWorld> {
  const programs = findCluster();
  if (programs === undefined) throw new Error('there is no Kubernetes: npm run bed:kubernetes -- --build builds it');
  await using stack = new AsyncDisposableStack();
  const { path: directory } = stack.use(await mkdtempDisposable(join(tmpdir(), 'kubelet-world-')));
  const images = [...IMAGES, await makeDemoImage(directory, signal)];
  const cluster = stack.use(await startCluster(programs, signal, { images, isDurable: false }));
  const [node] = cluster.nodes;
  await startNodeLibvirt(node, signal);
  const config = await loadKubeConfig({ path: cluster.kubeconfig, environment: {} });
  const admin = stack.use(new KubeClient({ config, userAgent: 'admin/1' }));
  await startControllers(stack, { cluster, admin }, signal);
  const kubectl = async (words: readonly string[], input?: string): Promise<string> => {
    const running = run('kubectl', [`--kubeconfig=${cluster.kubeconfig}`, ...words]);
    running.child.stdin?.end(input);
    return (await running).stdout;
  };
  await kubectl(['label', 'node', node.name, 'node-role.kubernetes.io/hypervisor=']);
  await kubectl(['apply', '-f', '-'], await handlerObjects());
  await kubectl(['-n', SYSTEM_NAMESPACE, 'rollout', 'status', 'daemonset/virt-handler', '--timeout=180s']);
  const objects = admin.resource(virtualMachineInstanceKind);
  const owned = stack.move();
  return {
    cluster,
    node,
    admin,
    kubectl,
    untilInstance: (name, isWanted, timeoutMs = WAIT_MS) =>
      untilObject({ objects, namespace: 'default', name, isWanted, timeoutMs }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface ControllerPlace {
  readonly cluster: Cluster;
  readonly admin: KubeClient;
}

/** virt-api and virt-controller, in this process. */
async function startControllers(
  owner: AsyncDisposableStack,
  { cluster, admin }: ControllerPlace,
  signal: AbortSignal,
): Promise<void> {
  const logger: Logger = createLogger({ name: 'test', level: 'warn', destination: { write: () => undefined } });
  await installDefinitions(admin, await readVmDefinitions(), signal);
  const accounts = new ChartAccounts({ admin, kubeconfig: cluster.kubeconfig });
  await accounts.install(
    {
      files: [
        'virt-api',
        'virt-api-policies',
        'virt-controller',
        'launcher-pods',
        'virt-handler-policies',
        'fence-proofs',
      ],
    },
    signal,
  );
  const settings = { ...DEFAULT_CLUSTER_SETTINGS, allowedHypervisors: Object.values(HypervisorDriver) };
  const { address } = cluster.network;
  const kubeConfig = await accounts.config({ name: 'smalt-virt-api' });
  owner.use(await deployVirtApi({ admin, kubeConfig, address, settings, logger, signal }));
  const own = { kubeConfig: await accounts.config({ name: 'smalt-virt-controller' }), logger };
  const { version } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8'));
  const controller = { ...own, settings: { launcherImage: `smalt.local/smalt-launcher:${version}` } };
  owner.use(await startVirtController(controller, new AbortController().signal));
}

/** All that the chart has for virt-handler, on a node that can but emulate. */
async function handlerObjects(): Promise<string> {
  const documents = parseAllDocuments(await readFile(RENDERED, 'utf8')).map((each): unknown => each.toJS());
  const own = documents.filter((each) => {
    const { kind, metadata } = Object(each);
    return /^(smalt-)?virt-handler/.test(String(metadata?.name)) && !String(kind).startsWith('Validating');
  });
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: own });
  return text.replace('"virt-handler","--config', '"virt-handler","--drivers=qemu","--config');
}
