import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ChartAccounts, startTestApiServer, untilObject } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { startPodRunner } from '@smalt/pod-runner';
import { createLogger } from '@smalt/service-runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { nodeKind } from './cluster-node.ts';
import { claimKind, volumeKind } from './cluster-volume.ts';
import { podKind, type ScheduledPod } from './scheduled-pod.ts';
import { startScheduler } from './start-scheduler.ts';

const owned = new AsyncDisposableStack();
const logger = createLogger({ name: 'test', destination: { write: () => undefined } });
let client: KubeClient;
/** Whom the scheduler and the runners act as. */
let accounts: ChartAccounts;

beforeAll(async () => {
  const server = owned.use(await startTestApiServer());
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  accounts = new ChartAccounts({ admin: client, kubeconfig: server.kubeconfig });
  const files = ['scheduler', 'pod-runner', 'pod-runner-policies'];
  await accounts.install({ files }, AbortSignal.timeout(110_000));
  // Pods that may choose go to one after the other, and to the larger one first.
  await startRunner('small', '16');
  await startRunner('large', '17');
  const kubeConfig = await accounts.config({ name: 'smalt-scheduler' });
  owned.use(await startScheduler({ kubeConfig, logger }, new AbortController().signal));
});

afterAll(() => owned.disposeAsync());

it('keeps the pods of a claim on the node of the first of them, which makes its volume', async () => {
  await createClaim('data');
  await createPod('first', { claimName: 'data', nodeSelector: { 'kubernetes.io/hostname': 'small' } });
  await until('first', isRunning);
  const { spec } = await client.resource(claimKind).get('data', { namespace: 'default' });
  const volume = await client.resource(volumeKind).get(spec.volumeName ?? '');

  await createPod('second', { claimName: 'data' });
  await createPod('free', {});
  const second = await until('second', isRunning);
  const free = await until('free', isRunning);

  expect(JSON.stringify(volume.spec.nodeAffinity)).toContain('"values":["small"]');
  expect(second.spec.nodeName).toBe('small');
  expect(free.spec.nodeName).toBe('large');
});

it('gives pods of one claim one node when they come together, before there is a volume', async () => {
  await createClaim('shared');
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];

  await Promise.all(names.map((name) => createPod(name, { claimName: 'shared' })));
  const pods = await Promise.all(names.map((name) => until(name, isRunning)));

  expect(new Set(pods.map(({ spec }) => spec.nodeName)).size).toBe(1);
});

it('keeps a pod from a node that is not that of its volume, though it asks for it', async () => {
  await createClaim('apart');
  await createPod('here', { claimName: 'apart', nodeSelector: { 'kubernetes.io/hostname': 'small' } });
  await until('here', isRunning);

  await createPod('there', { claimName: 'apart', nodeSelector: { 'kubernetes.io/hostname': 'large' } });
  const refused = await until('there', ({ status }) => conditionOf(status)?.status === 'False');

  expect(conditionOf(refused.status)?.message).toBe(
    `0/2 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity, 1 node(s) didn't match Pod's node affinity/selector.`,
  );
});

async function startRunner(nodeName: string, cpu: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'smalt-scheduler-'));
  owned.defer(() => rm(directory, { recursive: true, force: true }));
  const places = { podsDirectory: join(directory, 'pods'), volumesDirectory: join(directory, 'volumes') };
  const capacity = { cpu, memory: '64Gi' };
  // Its token is bound to the Node, which therefore has to be there.
  await client.resource(nodeKind).create({ metadata: { name: nodeName } });
  const kubeConfig = await accounts.config({ name: 'smalt-pod-runner', nodeName });
  const options = { nodeName, kubeConfig, logger, ...places, capacity, runsProcesses: false };
  owned.use(await startPodRunner(options, new AbortController().signal));
}

async function createClaim(name: string): Promise<void> {
  const resources = { requests: { storage: '1Gi' } };
  const spec = { storageClassName: 'smalt-local', accessModes: ['ReadWriteOnce'], resources };
  await client.resource(claimKind).create({ metadata: { name, namespace: 'default' }, spec });
}

interface PodWishes {
  readonly claimName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
}

async function createPod(name: string, { claimName, nodeSelector = {} }: PodWishes): Promise<void> {
  const command = ['smalt', 'virt-launcher'];
  const resources = { requests: { cpu: '300m', memory: '64Mi' } };
  const volumes = claimName === undefined ? [] : [{ name: 'data', persistentVolumeClaim: { claimName } }];
  const containers = [{ name: 'compute', image: 'smalt', command, resources }];
  await client
    .resource(podKind)
    .create({ metadata: { name, namespace: 'default' }, spec: { containers, nodeSelector, volumes } });
}

async function until(name: string, isWanted: (pod: ScheduledPod) => boolean): Promise<ScheduledPod> {
  const objects = client.resource(podKind);
  return await untilObject({ objects, namespace: 'default', name, isWanted, timeoutMs: 15_000 });
}

function isRunning({ status }: ScheduledPod): boolean {
  return status?.phase === 'Running';
}

function conditionOf(status: ScheduledPod['status']) {
  return status?.conditions?.find(({ type }) => type === 'PodScheduled');
}
