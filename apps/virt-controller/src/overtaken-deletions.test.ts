import { installDefinitions, startTestApiServer } from '@smalt/bed-kubernetes';
import { awaitWrite, Informer, keyOf, systemClock, type ControllerOptions } from '@smalt/controller-runtime';
import { KubeClient, loadKubeConfig, type Fields } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import {
  readVmDefinitions,
  virtualMachineInstanceKind,
  virtualMachineInstanceReplicaSetKind,
  virtualMachineKind,
  virtualMachinePoolKind,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceReplicaSet,
  type VirtualMachinePool,
  type VirtualMachinePoolSpec,
} from '@smalt/vm-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { instanceDraft, machineDraft } from './fixtures/vm-objects.ts';
import { controllerOf } from './frame/controller-of.ts';
import { IndexName } from './frame/index-names.ts';
import { volumeClaimKind } from './kinds/volume-claim.ts';
import { createPoolController } from './pool/pool-controller.ts';
import { createReplicaSetController } from './replica-set/replica-set-controller.ts';

const namespace = 'default';
const DETACHED = { metadata: { labels: { app: 'mine' } } };
const HEALING = { autohealing: { minFailingToStartDuration: '5m' } };
const beds = new AsyncDisposableStack();
let client: KubeClient;

beforeAll(async () => {
  const signal = AbortSignal.timeout(110_000);
  const server = beds.use(await startTestApiServer({ signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = beds.use(new KubeClient({ config, userAgent: 'overtaken-deletions/1' }));
  await installDefinitions(client, await readVmDefinitions(), signal);
});

afterAll(() => beds.disposeAsync());

it('keeps a machine that was taken out of its pool when the pool shrinks before its cache shows that', async () => {
  const { pool, machine } = await createPool('shrunk', { replicas: 0 });
  const { caches, reconcile } = poolController(pool, machine);
  const detached = await patchMachine(machine, DETACHED);

  expect(await reconcile()).toEqual(awaitWrite);
  expect((await live(machine)).metadata).toEqual(detached.metadata);

  // What comes next goes by the machine as it is then.
  caches.machines.put(detached);
  await reconcile();
  const { metadata } = await live(machine);
  expect([metadata.ownerReferences ?? [], metadata.deletionTimestamp]).toEqual([[], undefined]);
});

it.each([
  ['was halted', { spec: { runStrategy: 'Halted' } }, {}],
  ['came to run', {}, { status: { printableStatus: 'Running' } }],
] as const)(
  'keeps a machine that failed for long by the cache of its pool, and %s since',
  async (what, spec, status) => {
    const name = what.replaceAll(' ', '-');
    const { pool, machine } = await createPool(name, { replicas: 1, ...HEALING });
    const failing = await patchStatus(machine, {
      status: {
        printableStatus: 'ErrorUnschedulable',
        conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2020-01-01T00:00:00Z' }],
      },
    });
    const { reconcile } = poolController(pool, failing);
    await patchMachine(machine, spec);
    const healed = await patchStatus(machine, status);

    expect(await reconcile()).toEqual(awaitWrite);
    expect((await live(machine)).metadata).toEqual(healed.metadata);
  },
);

it('makes a machine anew that has failed for long, however often it was written before', async () => {
  const { pool, machine } = await createPool('failing', { replicas: 1, ...HEALING });
  const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: '2020-01-01T00:00:00Z' }];
  const { caches, reconcile } = poolController(pool, machine);
  for (const consecutiveFailCount of [1, 2]) {
    const status = { printableStatus: 'CrashLoopBackOff', conditions, startFailure: { consecutiveFailCount } };
    caches.machines.put(await patchStatus(machine, { status }));
    await patchMachine(machine, { metadata: { annotations: { written: String(consecutiveFailCount) } } });
    expect(await reconcile()).toEqual(awaitWrite);
  }

  caches.machines.put(await live(machine));
  await reconcile();

  await expect(live(machine)).rejects.toThrow('not found');
});

it.each([
  ['the machine was taken out of the pool', DETACHED, {}],
  ['the instance was written', {}, { metadata: { annotations: { written: 'since' } } }],
])('restarts no instance when %s since the cache of the pool had it', async (what, ofMachine, ofInstance) => {
  const { pool, machine } = await createPool(`restarted-${what.length}`, { replicas: 1 });
  const draft = instanceDraft(namespace, machine.metadata.name);
  const instances = client.resource(virtualMachineInstanceKind);
  const ownerReferences = [ownerOf(machine)];
  const instance = await instances.create({ ...draft, metadata: { ...draft.metadata, ownerReferences } });
  const { reconcile } = poolController(pool, machine, instance);
  await patchMachine(machine, ofMachine);
  await instances.patch(instance.metadata.name, 'merge', ofInstance, { namespace });

  expect(await reconcile()).toEqual(awaitWrite);
  const { metadata } = await instances.get(instance.metadata.name, { namespace });
  expect([metadata.uid, metadata.deletionTimestamp]).toEqual([instance.metadata.uid, undefined]);
});

it('keeps an instance that was taken out of its set when the set shrinks before its cache shows that', async () => {
  const instances = client.resource(virtualMachineInstanceKind);
  const set = await client.resource(virtualMachineInstanceReplicaSetKind).create(emptySet());
  const draft = instanceDraft(namespace, 'replica');
  const metadata = { ...draft.metadata, labels: { app: 'set' }, ownerReferences: [ownerOf(set)] };
  const instance = await instances.create({ ...draft, metadata });
  const { caches, reconcile } = setController(set, instance);
  const detached = await instances.patch('replica', 'merge', DETACHED, { namespace });

  expect(await reconcile()).toEqual(awaitWrite);
  expect((await instances.get('replica', { namespace })).metadata).toEqual(detached.metadata);

  caches.instances.put(detached);
  await reconcile();
  const after = await instances.get('replica', { namespace });
  expect([after.metadata.ownerReferences ?? [], after.metadata.deletionTimestamp]).toEqual([[], undefined]);
});

/** A pool in the API that has made its first machine, and then is to have so many. */
async function createPool(
  name: string,
  { replicas, ...spec }: Partial<VirtualMachinePoolSpec>,
): Promise<{ readonly pool: VirtualMachinePool; readonly machine: VirtualMachine }> {
  const pools = client.resource(virtualMachinePoolKind);
  const labels = { app: name };
  const { spec: template } = machineDraft(namespace, name, 'Always');
  const virtualMachineTemplate = { metadata: { labels }, spec: template };
  const selector = { matchLabels: labels };
  const first = await pools.create({
    metadata: { name, namespace },
    spec: { ...spec, selector, virtualMachineTemplate },
  });
  await poolController(first).reconcile();
  const machine = await client.resource(virtualMachineKind).get(`${name}-0`, { namespace });
  return { pool: await pools.patch(name, 'merge', { spec: { replicas } }, { namespace }), machine };
}

interface Caches {
  readonly machines: Informer<VirtualMachine>['cache'];
  readonly instances: Informer<VirtualMachineInstance>['cache'];
}

interface Looking {
  /** What its watches have told so far. */
  readonly caches: Caches;
  readonly reconcile: () => ReturnType<ControllerOptions['reconcile']>;
}

/** The controller of pools, which knows of the API what it is told here, and writes to it. */
function poolController(
  pool: VirtualMachinePool,
  machine?: VirtualMachine,
  instance?: VirtualMachineInstance,
): Looking {
  const { machines, instances, ...rest } = knowledge();
  const pools = informer(virtualMachinePoolKind);
  pools.cache.put(pool);
  if (machine !== undefined) machines.cache.put(machine);
  if (instance !== undefined) instances.cache.put(instance);
  const claims = informer(volumeClaimKind);
  const context = { ...rest, pools, machines, instances, claims, random: () => 0 };
  return looking(createPoolController(Object(context)), pool, { machines: machines.cache, instances: instances.cache });
}

/** The same for sets. */
function setController(replicaSet: VirtualMachineInstanceReplicaSet, instance: VirtualMachineInstance): Looking {
  const { machines, instances, ...rest } = knowledge();
  const replicaSets = informer(virtualMachineInstanceReplicaSetKind);
  replicaSets.cache.put(replicaSet);
  instances.cache.put(instance);
  const controller = createReplicaSetController(Object({ ...rest, replicaSets, instances }));
  return looking(controller, replicaSet, { machines: machines.cache, instances: instances.cache });
}

function knowledge() {
  const machines = informer(virtualMachineKind);
  const instances = informer(virtualMachineInstanceKind);
  machines.addIndex(IndexName.owner, (each) => [controllerOf(each)?.uid ?? '']);
  instances.addIndex(IndexName.owner, (each) => [controllerOf(each)?.uid ?? '']);
  instances.addIndex(IndexName.free, () => []);
  const recorder = { record: async () => undefined };
  return { client, machines, instances, recorder, ignore: () => undefined, clock: systemClock };
}

function informer<T extends KubernetesObject>(kind: KindReference<T>): Informer<T> {
  return new Informer(client.resource(kind), { onFailure: () => undefined });
}

function looking({ reconcile }: ControllerOptions, object: KubernetesObject, caches: Caches): Looking {
  return { caches, reconcile: () => reconcile(keyOf(object), AbortSignal.timeout(10_000)) };
}

async function live({ metadata }: VirtualMachine): Promise<VirtualMachine> {
  return await client.resource(virtualMachineKind).get(metadata.name, { namespace });
}

async function patchMachine({ metadata }: VirtualMachine, fields: Fields): Promise<VirtualMachine> {
  return await client.resource(virtualMachineKind).patch(metadata.name, 'merge', fields, { namespace });
}

async function patchStatus({ metadata }: VirtualMachine, fields: Fields): Promise<VirtualMachine> {
  const options = { namespace, subresource: 'status' };
  return await client.resource(virtualMachineKind).patch(metadata.name, 'merge', fields, options);
}

function emptySet(): VirtualMachineInstanceReplicaSet {
  const labels = { app: 'set' };
  const { spec } = instanceDraft(namespace, 'set');
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet',
    metadata: { name: 'set', namespace },
    spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

function ownerOf({ apiVersion, kind, metadata }: KubernetesObject): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: true;
} {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true };
}
