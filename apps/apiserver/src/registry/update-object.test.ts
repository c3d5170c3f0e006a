import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { admitEverything } from './admission.ts';
import { openRegistry, refusalOf, type World } from './fixtures/open-registry.ts';
import { machine, writer } from './fixtures/test-objects.ts';
import { configMaps, machines } from './fixtures/test-resources.ts';
import type { Subresource, WriteContext } from './write-context.ts';

const MACHINES = machines();
const M1 = { namespace: 'default', name: 'm1' };

describe('an update', () => {
  it('of what is wanted counts the generation up, and keeps the status', async () => {
    await using world = await worldWithMachine();
    await put(world, (live) => ({ ...live, status: { phase: 'Running' } }), 'status');

    const updated = await put(world, (live) => ({ ...live, spec: { cpus: 4 }, status: { phase: 'Broken' } }));

    expect(updated).toMatchObject({
      metadata: { generation: 2, resourceVersion: '4' },
      spec: { cpus: 4 },
      status: { phase: 'Running' },
    });
  });

  it('of metadata alone does not', async () => {
    await using world = await worldWithMachine();

    const updated = await put(world, (live) => withLabels(live, { app: 'web' }));

    expect(updated).toMatchObject({ metadata: { generation: 1, resourceVersion: '3', labels: { app: 'web' } } });
  });

  it('of the status changes nothing else', async () => {
    await using world = await worldWithMachine();

    const updated = await put(
      world,
      (live) => ({ ...withLabels(live, { app: 'web' }), spec: { cpus: 9 }, status: { phase: 'Running' } }),
      'status',
    );

    expect(updated).toMatchObject({ metadata: { generation: 1 }, spec: { cpus: 2 }, status: { phase: 'Running' } });
    expect(updated['metadata']).not.toHaveProperty('labels');
  });

  it('that changes nothing writes nothing', async () => {
    await using world = await worldWithMachine();
    world.clock.now += 60_000;

    const updated = await put(world, (live) => live);

    expect(updated).toMatchObject({ metadata: { resourceVersion: '2' } });
    expect(world.store.resourceVersion).toBe(2);
  });

  it('cannot change what only the server may say', async () => {
    await using world = await worldWithMachine();

    const updated = await put(world, (live) => ({
      ...live,
      metadata: { ...metadata(live), creationTimestamp: '1999-01-01T00:00:00Z', generation: 40 },
      spec: { cpus: 3 },
    }));

    expect(updated).toMatchObject({ metadata: { creationTimestamp: '2026-01-02T03:04:05Z', generation: 2 } });
  });

  it('of a dry run is shown and not stored', async () => {
    await using world = await worldWithMachine();

    const updated = await put(world, (live) => ({ ...live, spec: { cpus: 4 } }), '', writer({ dryRun: true }));

    expect(updated).toMatchObject({ metadata: { generation: 2, resourceVersion: '2' }, spec: { cpus: 4 } });
    expect((await world.registry.get(MACHINES, M1)).value).toMatchObject({ spec: { cpus: 2 } });
  });

  it('records who changed what', async () => {
    await using world = await worldWithMachine();

    const updated = await put(world, (live) => ({ ...live, spec: { cpus: 4 } }), '', writer({ fieldManager: 'bob' }));

    expect(updated).toMatchObject({ metadata: { managedFields: [{ manager: 'bob' }, { manager: 'test' }] } });
  });
});

describe('an update is refused', () => {
  it.each<{ why: string; change: (live: JsonObject) => JsonObject; status: JsonObject }>([
    {
      why: 'when the object has changed since it was read',
      change: (live) => ({ ...live, metadata: { ...metadata(live), resourceVersion: '1' } }),
      status: {
        code: 409,
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on machines.bench.example.dev "m1": the object has been modified; please apply your changes to the latest version and try again',
        details: { name: 'm1', group: 'bench.example.dev', kind: 'machines' },
      },
    },
    {
      why: 'without a resourceVersion',
      change: (live) => ({ ...live, metadata: { name: 'm1' } }),
      status: {
        code: 422,
        message:
          'machines.bench.example.dev "m1" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      },
    },
    {
      why: 'with another name',
      change: (live) => ({ ...live, metadata: { ...metadata(live), name: 'm2' } }),
      status: { code: 400, message: 'the name of the object (m2) does not match the name on the URL (m1)' },
    },
    {
      why: 'with another namespace',
      change: (live) => ({ ...live, metadata: { ...metadata(live), namespace: 'other' } }),
      status: {
        code: 400,
        message: 'the namespace of the provided object does not match the namespace sent on the request',
      },
    },
    {
      why: 'with another uid',
      change: (live) => ({ ...live, metadata: { ...metadata(live), uid: 'other' } }),
      status: { code: 409, reason: 'Conflict' },
    },
    {
      why: 'when the object would not be valid',
      change: (live) => ({ ...live, spec: { cpus: -1 } }),
      status: {
        code: 422,
        message: 'Machine.bench.example.dev "m1" is invalid: spec.cpus: Invalid value: -1: must be positive',
      },
    },
  ])('$why', async ({ change, status }) => {
    await using world = await worldWithMachine();

    const refusal = await refusalOf(put(world, change));

    expect(refusal).toMatchObject(status);
    expect(world.store.resourceVersion).toBe(2);
  });

  it('of an object that does not exist', async () => {
    await using world = await openRegistry();

    const update = world.registry.update(MACHINES, M1, machine('m1'), { context: writer(), subresource: '' });

    expect(await refusalOf(update)).toMatchObject({
      code: 404,
      message: 'machines.bench.example.dev "m1" not found',
      details: { name: 'm1', group: 'bench.example.dev', kind: 'machines' },
    });
  });

  it('with a new finalizer for an object that is being deleted', async () => {
    await using world = await worldWithMachine({ finalizers: ['example.dev/hold'] });
    await world.registry.delete(MACHINES, M1, {}, writer());

    const refusal = await refusalOf(
      put(world, (live) => ({
        ...live,
        metadata: { ...metadata(live), finalizers: ['example.dev/hold', 'example.dev/more'] },
      })),
    );

    expect(refusal.message).toContain('no new finalizers can be added if the object is being deleted');
  });
});

it('replaces a built-in object without a resourceVersion, and creates where the kind allows it', async () => {
  await using world = await openRegistry();
  const maps = configMaps();
  const leases = configMaps({ group: 'coordination.k8s.io', kind: 'Lease', plural: 'leases' });
  const key = { namespace: 'default', name: 'c' };
  await world.registry.create(maps, 'default', { metadata: { name: 'c' }, data: { a: '1' } }, writer());
  const options = { context: writer(), subresource: '' } as const;

  const replaced = await world.registry.update(maps, key, { metadata: { name: 'c' }, data: { b: '2' } }, options);
  const made = await world.registry.update(leases, key, { metadata: { name: 'c' } }, options);
  const refusal = await refusalOf(
    world.registry.update(maps, { ...key, name: 'd' }, { metadata: { name: 'd' } }, options),
  );

  expect(replaced).toMatchObject({ isCreated: false, object: { value: { data: { b: '2' } } } });
  expect(made).toMatchObject({ isCreated: true, object: { value: { metadata: { name: 'c', namespace: 'default' } } } });
  expect(refusal.code).toBe(404);
});

it('removes an object when its last finalizer goes', async () => {
  await using world = await worldWithMachine({ finalizers: ['example.dev/hold'] });
  await world.registry.delete(MACHINES, M1, {}, writer());

  await put(world, (live) => ({ ...live, metadata: { ...metadata(live), finalizers: [] } }));

  expect(await refusalOf(world.registry.get(MACHINES, M1))).toMatchObject({ code: 404 });
});

it('decides anew when somebody else was faster while admission was asked', async () => {
  const gate = Promise.withResolvers<void>();
  let isFirst = true;
  await using world = await worldWithMachine(
    {},
    {
      ...admitEverything(),
      mutate: async (review) => {
        const waits = review.operation === 'UPDATE' && isFirst;
        if (waits) isFirst = false;
        if (waits) await gate.promise;
        return review.object;
      },
    },
  );
  const merge = { kind: 'merge', body: { spec: { zone: 'slow' } } } as const;

  const slow = world.registry.patch(MACHINES, M1, merge, { context: writer(), subresource: '' });
  await put(world, (live) => ({ ...live, spec: { cpus: 7 } }));
  gate.resolve();

  expect((await slow).object.value['spec']).toEqual({ cpus: 7, zone: 'slow' });
});

async function worldWithMachine(metadataChanges: JsonObject = {}, admission = admitEverything()): Promise<World> {
  const world = await openRegistry({ admission });
  await world.registry.create(MACHINES, 'default', machine('m1', { metadata: metadataChanges }), writer());
  return world;
}

async function put(
  world: World,
  change: (live: JsonObject) => JsonObject,
  subresource: Subresource = '',
  context: WriteContext = writer(),
): Promise<JsonObject> {
  const live = await world.registry.get(MACHINES, M1);
  const { object } = await world.registry.update(MACHINES, M1, change(live.value), { context, subresource });
  return object.value;
}

function metadata(object: JsonObject): JsonObject {
  return object['metadata'] as JsonObject;
}

function withLabels(object: JsonObject, labels: JsonObject): JsonObject {
  return { ...object, metadata: { ...metadata(object), labels } };
}
