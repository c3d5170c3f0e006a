import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startTestApiServer, untilObject, type TestApiServer } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig, type KubeConfig } from '@smalt/kube';
import type { PodSpec } from '@smalt/placement';
import { createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { namespaceKind, nodeKind } from './cluster-node.ts';
import { claimKind, volumeKind } from './cluster-volume.ts';
import { NAMESPACE, schedulerAccount } from './fixtures/scheduler-account.ts';
import { podKind, type ScheduledPod } from './scheduled-pod.ts';
import type { Scheduler, SchedulerOptions } from './scheduler-options.ts';
import { startScheduler } from './start-scheduler.ts';

const CLAIM = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const owned = new AsyncDisposableStack();
let server: TestApiServer;
let kubeConfig: KubeConfig;
let client: KubeClient;
let schedulers: AsyncDisposableStack;
let namespace: string;
let count = 0;

beforeAll(async () => {
  server = owned.use(await startTestApiServer());
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  // All that follows is done with the rights of deploy/helm/smalt/files/rbac.
  kubeConfig = await schedulerAccount(client);
});

afterAll(() => owned.disposeAsync());

beforeEach(async () => {
  schedulers = new AsyncDisposableStack();
  count += 1;
  namespace = `case-${count}`;
  await client.resource(namespaceKind).create({ metadata: { name: namespace } });
});

afterEach(async () => {
  await schedulers.disposeAsync();
  // Nobody ends what runs on a node here.
  const { items } = await client.resource(podKind).list({ namespace });
  const pods = client.resource(podKind);
  await Promise.all(items.map(({ metadata }) => pods.delete(metadata.name, { namespace, gracePeriodSeconds: 0 })));
  await client.resource(nodeKind).deleteCollection();
});

it('gives pods nodes by one write each, never more to a node than it has room for', async () => {
  await Promise.all([node('n1', { cpu: '2' }), node('n2', { cpu: '1' })]);
  await scheduler();

  await Promise.all(['a', 'b', 'c'].map((name) => pod(name, { cpu: '1' })));
  const placed = await Promise.all(['a', 'b', 'c'].map((name) => until(name, hasNode)));

  expect(placed.map(({ spec }) => spec.nodeName ?? '').toSorted((a, b) => a.localeCompare(b))).toEqual([
    'n1',
    'n1',
    'n2',
  ]);
  await expect.poll(() => writesTo('a')).toEqual(['create binding']);
});

it('says why a pod has no node, once, and tries again when a node comes', async () => {
  await scheduler();
  await pod('big', { cpu: '8' });

  const refused = await until('big', isRefused);
  await node('small', { cpu: '1' });
  const again = await until('big', ({ status }) => messageOf(status)?.startsWith('0/1') === true);
  await node('large', { cpu: '16' });
  const placed = await until('big', hasNode);

  expect(messageOf(refused.status)).toBe('no nodes available to schedule pods');
  expect(messageOf(again.status)).toBe('0/1 nodes are available: 1 Insufficient cpu.');
  expect(placed.spec.nodeName).toBe('large');
  await expect.poll(() => writesTo('big')).toEqual(['patch status', 'patch status', 'create binding']);
});

it('tries again when another pod makes room', async () => {
  await node('only', { cpu: '1' });
  await scheduler();
  await pod('first', { cpu: '1' });
  await until('first', hasNode);
  await pod('second', { cpu: '1' });
  await until('second', isRefused);

  await client.resource(podKind).delete('first', { namespace, gracePeriodSeconds: 0 });
  const placed = await until('second', hasNode);

  expect(placed.spec.nodeName).toBe('only');
});

it('leaves pods of other schedulers and pods behind gates alone', async () => {
  await node('n1', { cpu: '4' });
  await scheduler();

  await pod('other', { cpu: '1' }, { schedulerName: 'other' });
  await pod('gated', { cpu: '1' }, { schedulingGates: [{ name: 'smalt.dev/wait' }] });
  await pod('ours', { cpu: '1' });
  await until('ours', hasNode);

  const { items } = await client.resource(podKind).list({ namespace });
  const nodes = items.map(({ metadata, spec }) => [metadata.name, spec.nodeName ?? '']);
  expect(Object.fromEntries(nodes)).toEqual({ other: '', gated: '', ours: 'n1' });
});

it('places what waited while no scheduler ran, and counts what others have placed', async () => {
  await node('n1', { cpu: '2' });
  await pod('there', { cpu: '1' }, { nodeName: 'n1' });
  await pod('waits', { cpu: '1' });
  await pod('too-much', { cpu: '1' });
  await scheduler();

  const refusedOrPlaced = await Promise.all(['waits', 'too-much'].map((name) => until(name, isDecided)));

  expect(refusedOrPlaced.filter(hasNode)).toHaveLength(1);
});

it('works through many pods, with two schedulers of which one leads', { timeout: 100_000 }, async () => {
  const names = Array.from({ length: 20 }, (_, index) => `node-${index}`);
  await Promise.all(names.map((name) => node(name, { cpu: '10' })));
  const first = await scheduler({ leaderElection: place('a') });
  await scheduler({ leaderElection: place('b') });

  await Promise.all(Array.from({ length: 100 }, (_, index) => pod(`early-${index}`, { cpu: '1' })));
  await until('early-99', hasNode);
  await first[Symbol.asyncDispose]();
  await Promise.all(Array.from({ length: 100 }, (_, index) => pod(`late-${index}`, { cpu: '1' })));

  const perNode = async (): Promise<readonly number[]> => {
    const { items } = await client.resource(podKind).list({ namespace });
    return names.map((name) => items.filter(({ spec }) => spec.nodeName === name).length);
  };
  await expect.poll(perNode, { interval: 200, timeout: 60_000 }).toEqual(names.map(() => 10));
});

it('sends a pod to the node of its volume, once there is a claim and a volume', async () => {
  await Promise.all([node('n1', { cpu: '4' }), node('n2', { cpu: '2' })]);
  await scheduler();

  await pod('vm', { cpu: '1' }, { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });
  const missing = await until('vm', isRefused);
  const spec = { ...CLAIM, storageClassName: '', volumeName: `v-${namespace}` };
  const made = await client.resource(claimKind).create({ metadata: { name: 'data', namespace }, spec });
  const lost = await until('vm', ({ status }) => messageOf(status)?.includes('non-existent') === true);
  await client.resource(volumeKind).create(volumeOn(`v-${namespace}`, 'n2', made.metadata.uid));
  const placed = await until('vm', hasNode);

  expect(messageOf(missing.status)).toBe('0/2 nodes are available: persistentvolumeclaim "data" not found.');
  expect(messageOf(lost.status)).toBe(
    '0/2 nodes are available: 2 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s).',
  );
  expect(placed.spec.nodeName).toBe('n2');
});

it('says so when no node reaches the volume of a pod', async () => {
  await node('n1', { cpu: '4' });
  const spec = { ...CLAIM, storageClassName: '', volumeName: `v-${namespace}` };
  const made = await client.resource(claimKind).create({ metadata: { name: 'data', namespace }, spec });
  await client.resource(volumeKind).create(volumeOn(`v-${namespace}`, 'n9', made.metadata.uid));
  await scheduler();

  await pod('vm', { cpu: '1' }, { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });
  const refused = await until('vm', isRefused);

  expect(messageOf(refused.status)).toBe(
    `0/1 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity.`,
  );
});

it('tells of its work in metrics', async () => {
  const metrics = new MetricsRegistry();
  await scheduler({ metrics });
  await pod('alone', { cpu: '1' });
  await until('alone', isRefused);

  await expect
    .poll(() => metrics.expose())
    .toMatch(/scheduler_schedule_attempts_total\{result="unschedulable",profile="default-scheduler"\} [1-9]/);
  expect(metrics.expose()).toContain('scheduler_pending_pods{queue="unschedulable"} 1');
});

async function scheduler(options: Partial<SchedulerOptions> = {}): Promise<Scheduler> {
  const logger = createLogger({ name: 'scheduler', destination: { write: () => undefined } });
  return schedulers.use(await startScheduler({ kubeConfig, logger, ...options }, new AbortController().signal));
}

function place(identity: string): SchedulerOptions['leaderElection'] {
  return { namespace: NAMESPACE, identity, retryMs: 200 };
}

async function node(name: string, { cpu }: { readonly cpu: string }): Promise<void> {
  const status = { allocatable: { cpu, memory: '64Gi', pods: '110' } };
  const draft = { metadata: { name, labels: { 'kubernetes.io/hostname': name } }, status };
  await client.resource(nodeKind).create(draft);
}

async function pod(name: string, requests: Readonly<Record<string, string>>, spec: object = {}): Promise<void> {
  const containers = [{ name: 'main', image: 'image', resources: { requests } }];
  const full: PodSpec = { containers, ...spec };
  await client.resource(podKind).create({ metadata: { name, namespace }, spec: full });
}

function volumeOn(name: string, nodeName: string, uid: string = '') {
  const terms = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [nodeName] }] }];
  const nodeAffinity = { required: { nodeSelectorTerms: terms } };
  const claimRef = { namespace, name: 'data', uid };
  const where = { local: { path: '/srv' }, nodeAffinity };
  return {
    metadata: { name },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...where, claimRef },
  };
}

async function until(name: string, isWanted: (pod: ScheduledPod) => boolean): Promise<ScheduledPod> {
  return await untilObject({ objects: client.resource(podKind), namespace, name, isWanted, timeoutMs: 28_000 });
}

function hasNode({ spec }: ScheduledPod): boolean {
  return spec.nodeName !== undefined && spec.nodeName !== '';
}

function isRefused({ status }: ScheduledPod): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'PodScheduled' && value === 'False') ?? false;
}

function isDecided(each: ScheduledPod): boolean {
  return hasNode(each) || isRefused(each);
}

function messageOf(status: ScheduledPod['status']): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
}

/** What was written to a pod that was there, by the log of the server, which comes a little later. */
async function writesTo(name: string): Promise<readonly string[]> {
  const lines = (await readFile(join(server.directory, 'audit.log'), 'utf8')).trim().split('\n');
  return lines.flatMap((line) => {
    const { verb, objectRef }: AuditLine = JSON.parse(line);
    const isOurs = objectRef?.resource === 'pods' && objectRef.namespace === namespace && objectRef.name === name;
    const isMade = verb === 'create' && objectRef?.subresource === undefined;
    const isWrite = !isMade && ['create', 'update', 'patch', 'delete'].includes(verb ?? '');
    return isOurs && isWrite ? [[verb, objectRef.subresource].filter((word) => word !== undefined).join(' ')] : [];
  });
}

interface AuditLine {
  readonly verb?: string;
  readonly objectRef?: Partial<Record<'resource' | 'namespace' | 'name' | 'subresource', string>>;
}
