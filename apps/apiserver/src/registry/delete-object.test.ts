import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { admitEverything, type Admission, type AdmissionReview } from './admission.ts';
import { openRegistry, refusalOf, type World } from './fixtures/open-registry.ts';
import { machine, writer } from './fixtures/test-objects.ts';
import { configMaps, machines, namespaces } from './fixtures/test-resources.ts';
import type { DeleteOptions } from './write-context.ts';

const MACHINES = machines();
const PODS = configMaps({ kind: 'Pod', plural: 'pods', hasStatus: true, schema: { type: 'object' } });
const M1 = { namespace: 'default', name: 'm1' };
const TEAM = { namespace: '', name: 'team' };

describe('a deletion', () => {
  it('removes an object that nobody holds, and answers with a Status that names it', async () => {
    await using world = await worldWithMachine();
    const uid = metadata((await world.registry.get(MACHINES, M1)).value)['uid'];

    const result = await world.registry.delete(MACHINES, M1, {}, writer());

    expect(result).toEqual({
      kind: 'status',
      isGone: true,
      status: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'm1', group: 'bench.example.dev', kind: 'machines', uid },
      },
    });
    expect(world.store.count('machines.bench.example.dev')).toBe(0);
  });

  it('marks an object that has finalizers, once', async () => {
    await using world = await worldWithMachine({ finalizers: ['example.dev/hold'] });

    const first = await world.registry.delete(MACHINES, M1, {}, writer());
    world.clock.now += 60_000;
    const second = await world.registry.delete(MACHINES, M1, {}, writer());

    expect(first).toMatchObject({
      isGone: false,
      object: {
        value: {
          metadata: {
            deletionTimestamp: '2026-01-02T03:04:05Z',
            deletionGracePeriodSeconds: 0,
            generation: 2,
            resourceVersion: '3',
          },
        },
      },
    });
    expect(second).toMatchObject({ isGone: false, object: { resourceVersion: 3 } });
  });

  it.each<{ policy: NonNullable<DeleteOptions['propagationPolicy']>; finalizers: string[] }>([
    { policy: 'Foreground', finalizers: ['foregroundDeletion'] },
    { policy: 'Orphan', finalizers: ['orphan'] },
  ])('with propagation $policy waits for the garbage collector', async ({ policy, finalizers }) => {
    await using world = await worldWithMachine();

    await world.registry.delete(MACHINES, M1, { propagationPolicy: policy }, writer());

    const { value } = await world.registry.get(MACHINES, M1);
    expect(value).toMatchObject({ metadata: { finalizers, deletionTimestamp: expect.any(String) } });
  });

  it('in the background takes back what an earlier one has asked for', async () => {
    await using world = await worldWithMachine();
    await world.registry.delete(MACHINES, M1, { propagationPolicy: 'Foreground' }, writer());

    const result = await world.registry.delete(MACHINES, M1, { propagationPolicy: 'Background' }, writer());

    expect(result.isGone).toBe(true);
  });

  it.each<{ preconditions: NonNullable<DeleteOptions['preconditions']>; why: string }>([
    {
      preconditions: { uid: 'other' },
      why: 'the UID in the precondition (other) does not match the UID in record (',
    },
    {
      preconditions: { resourceVersion: '1' },
      why: 'the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (2). The object might have been modified',
    },
  ])('is refused when a precondition does not hold: $preconditions', async ({ preconditions, why }) => {
    await using world = await worldWithMachine();

    const refusal = await refusalOf(world.registry.delete(MACHINES, M1, { preconditions }, writer()));

    expect(refusal).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(refusal.message).toContain(`Operation cannot be fulfilled on Machine.bench.example.dev "m1": ${why}`);
  });

  it('of a dry run removes nothing', async () => {
    await using world = await worldWithMachine();

    const result = await world.registry.delete(MACHINES, M1, {}, writer({ dryRun: true }));

    expect(result).toMatchObject({ kind: 'status', isGone: true });
    expect(world.store.count('machines.bench.example.dev')).toBe(1);
  });

  it('of what does not exist is refused', async () => {
    await using world = await openRegistry();

    expect(await refusalOf(world.registry.delete(MACHINES, M1, {}, writer()))).toMatchObject({ code: 404 });
  });
});

describe('a pod', () => {
  it('on a node is given its grace period, which can be shortened and not extended', async () => {
    await using world = await worldWithPod({ nodeName: 'n1', terminationGracePeriodSeconds: 30 });

    const first = await world.registry.delete(PODS, M1, {}, writer());
    const longer = await world.registry.delete(PODS, M1, { gracePeriodSeconds: 60 }, writer());
    const shorter = await world.registry.delete(PODS, M1, { gracePeriodSeconds: 10 }, writer());
    const now = await world.registry.delete(PODS, M1, { gracePeriodSeconds: 0 }, writer());

    expect(first).toMatchObject({ isGone: false, object: { value: { metadata: grace(30, '2026-01-02T03:04:35Z') } } });
    expect(longer).toMatchObject({ isGone: false, object: { value: { metadata: grace(30, '2026-01-02T03:04:35Z') } } });
    expect(shorter).toMatchObject({
      isGone: false,
      object: { value: { metadata: grace(10, '2026-01-02T03:04:15Z') } },
    });
    expect(now).toMatchObject({ kind: 'object', isGone: true });
  });

  it.each([
    { why: 'on no node', spec: { terminationGracePeriodSeconds: 30 }, phase: 'Pending' },
    { why: 'that has ended', spec: { nodeName: 'n1', terminationGracePeriodSeconds: 30 }, phase: 'Succeeded' },
  ])('$why goes at once', async ({ spec, phase }) => {
    await using world = await worldWithPod(spec, phase);

    expect(await world.registry.delete(PODS, M1, {}, writer())).toMatchObject({ kind: 'object', isGone: true });
  });
});

describe('a namespace', () => {
  it('is emptied first, and goes with its last own finalizer', async () => {
    await using world = await openRegistry();
    await world.registry.create(namespaces(), '', { metadata: { name: 'team' } }, writer());

    const marked = await world.registry.delete(namespaces(), TEAM, {}, writer());
    const { value } = await world.registry.get(namespaces(), TEAM);
    await world.registry.update(
      namespaces(),
      TEAM,
      { ...value, spec: {} },
      { context: writer(), subresource: 'finalize' },
    );

    expect(marked).toMatchObject({
      kind: 'object',
      isGone: false,
      object: { value: { metadata: { deletionTimestamp: '2026-01-02T03:04:05Z' }, status: { phase: 'Terminating' } } },
    });
    expect(await refusalOf(world.registry.get(namespaces(), TEAM))).toMatchObject({ code: 404 });
  });

  it.each(['default', 'kube-system', 'kube-public'])('that the server needs is kept: %s', async (name) => {
    await using world = await openRegistry();

    const refusal = await refusalOf(world.registry.delete(namespaces(), { namespace: '', name }, {}, writer()));

    expect(refusal.message).toBe(`namespaces "${name}" is forbidden: this namespace may not be deleted`);
  });
});

it('tells watchers that a pod is going before it tells that it is gone', async () => {
  await using world = await worldWithPod({ nodeName: 'n1' });

  const result = await world.registry.delete(PODS, M1, { gracePeriodSeconds: 0 }, writer());

  const events = world.store.eventsAfter('pods', 2) ?? [];
  const marked = { deletionTimestamp: '2026-01-02T03:04:05Z', deletionGracePeriodSeconds: 0, generation: 2 };
  expect(events.map(({ type, object }) => [type, object.resourceVersion])).toEqual([
    ['MODIFIED', 3],
    ['DELETED', 4],
  ]);
  expect(events.map(({ object }) => object.value['metadata'])).toEqual([
    expect.objectContaining(marked),
    expect.objectContaining(marked),
  ]);
  expect(result).toMatchObject({ kind: 'object', isGone: true, object: { value: { metadata: marked } } });
});

it('tries the deletion of a pod without touching it', async () => {
  await using world = await worldWithPod({ nodeName: 'n1' });

  const result = await world.registry.delete(PODS, M1, { gracePeriodSeconds: 0 }, writer({ dryRun: true }));

  expect(result).toMatchObject({ kind: 'object', object: { value: { metadata: { deletionGracePeriodSeconds: 0 } } } });
  expect((await world.registry.get(PODS, M1)).resourceVersion).toBe(2);
});

it('says that an object is not the one that was meant before it asks who may delete that', async () => {
  const asked: string[] = [];
  const validate = async ({ operation }: AdmissionReview): Promise<void> => void asked.push(operation);
  await using world = await worldWithPod({}, 'Running', { ...admitEverything(), validate });
  asked.length = 0;

  const refusal = await refusalOf(world.registry.delete(PODS, M1, { preconditions: { uid: 'other' } }, writer()));

  expect([refusal.code, asked]).toEqual([409, []]);
});

it('plans the deletion of a pod anew when the pod has changed meanwhile', async () => {
  const changes: (() => Promise<unknown>)[] = [];
  await using world = await worldWithPod({ nodeName: 'n1' }, 'Running', {
    ...admitEverything(),
    validate: async ({ operation }) => {
      if (operation === 'DELETE') await changes.pop()?.();
    },
  });
  const finalizers = ['example.dev/hold'];
  const patch = { kind: 'merge', body: { metadata: { finalizers } } } as const;
  changes.push(() => world.registry.patch(PODS, M1, patch, { context: writer(), subresource: '' }));

  const result = await world.registry.delete(PODS, M1, { gracePeriodSeconds: 0 }, writer());

  expect(result.isGone).toBe(false);
  expect((await world.registry.get(PODS, M1)).value).toMatchObject({
    metadata: { finalizers, deletionTimestamp: expect.any(String) },
  });
});

it('deletes a large collection a few objects at a time', async () => {
  let running = 0;
  let most = 0;
  await using world = await worldWithMachines(100, async () => {
    most = Math.max(most, ++running);
    await turn();
    running--;
  });

  await world.registry.deleteCollection(MACHINES, { namespace: 'default' }, {}, writer());

  expect(world.store.count('machines.bench.example.dev')).toBe(0);
  expect(most).toBe(16);
});

it('leaves the rest of a collection alone after a failure', async () => {
  const failure = new Error('the disk is on fire');
  let asked = 0;
  await using world = await worldWithMachines(100, async () => {
    asked++;
    await turn();
    throw failure;
  });

  const deletion = world.registry.deleteCollection(MACHINES, { namespace: 'default' }, {}, writer());

  await expect(deletion).rejects.toBe(failure);
  expect(asked).toBe(16);
});

it('stops to delete a collection when nobody waits for it any more', async () => {
  const controller = new AbortController();
  const reason = new Error('the client has gone away');
  await using world = await worldWithMachines(100, async () => {
    controller.abort(reason);
    await turn();
  });

  const context = writer({ signal: controller.signal });
  const deletion = world.registry.deleteCollection(MACHINES, { namespace: 'default' }, {}, context);

  await expect(deletion).rejects.toBe(reason);
  expect(world.store.count('machines.bench.example.dev')).toBeGreaterThan(80);
});

it('deletes what a selector finds, and nothing else', async () => {
  await using world = await openRegistry();
  for (const app of ['a', 'b', 'a']) {
    const nameless = { ...machine(''), metadata: { generateName: 'm-', labels: { app } } };
    await world.registry.create(MACHINES, 'default', nameless, writer());
  }

  const list = { namespace: 'default', labelSelector: 'app=a' };
  const deleted = await world.registry.deleteCollection(MACHINES, list, {}, writer());

  const left = await world.registry.list(MACHINES, { namespace: '' });
  expect(deleted.items).toHaveLength(2);
  expect(left.items.map(({ labels }) => labels)).toEqual([{ app: 'b' }]);
});

async function worldWithMachine(metadataChanges: JsonObject = {}): Promise<World> {
  const world = await openRegistry();
  await world.registry.create(MACHINES, 'default', machine('m1', { metadata: metadataChanges }), writer());
  return world;
}

async function worldWithMachines(count: number, onDelete: () => Promise<void>): Promise<World> {
  const validate: Admission['validate'] = async ({ operation }) => {
    if (operation === 'DELETE') await onDelete();
  };
  const world = await openRegistry({ admission: { ...admitEverything(), validate } });
  const names = Array.from({ length: count }, (_, index) => `m${index}`);
  await Promise.all(names.map((name) => world.registry.create(MACHINES, 'default', machine(name), writer())));
  return world;
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

async function worldWithPod(spec: JsonObject, phase = 'Running', admission = admitEverything()): Promise<World> {
  const world = await openRegistry({ admission });
  const pod = { metadata: { name: 'm1' }, spec: { containers: [], ...spec }, status: { phase } };
  await world.registry.create(PODS, 'default', pod, writer());
  return world;
}

function grace(seconds: number, deletionTimestamp: string): JsonObject {
  return { deletionGracePeriodSeconds: seconds, deletionTimestamp };
}

function metadata(object: JsonObject): JsonObject {
  return object['metadata'] as JsonObject;
}
