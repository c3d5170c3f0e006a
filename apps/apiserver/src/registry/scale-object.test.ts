import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { openRegistry, refusalOf, type World } from './fixtures/open-registry.ts';
import { machine, writer } from './fixtures/test-objects.ts';
import { configMaps, machines } from './fixtures/test-resources.ts';

const MACHINES = machines();
const M1 = { namespace: 'default', name: 'm1' };

describe('the scale of an object', () => {
  it('shows how many there should be and how many there are', async () => {
    await using world = await worldWithReplicas(3);
    const body = { status: { replicas: 1, selector: 'app=web' } };
    const context = writer();
    await world.registry.patch(MACHINES, M1, { kind: 'merge', body }, { context, subresource: 'status' });

    const scale = await world.registry.getScale(MACHINES, M1);

    expect(scale).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'm1', namespace: 'default', resourceVersion: '3' },
      spec: { replicas: 3 },
      status: { replicas: 1, selector: 'app=web' },
    });
  });

  it('can be patched, which counts as a change of what is wanted', async () => {
    await using world = await worldWithReplicas(3);
    const patch = { kind: 'merge', body: { spec: { replicas: 5 } } } as const;

    const scale = await world.registry.changeScale(MACHINES, M1, patch, writer({ fieldManager: 'scaler' }));

    const { value } = await world.registry.get(MACHINES, M1);
    expect(scale).toMatchObject({ spec: { replicas: 5 }, metadata: { resourceVersion: '3' } });
    expect(value).toMatchObject({ metadata: { generation: 2 }, spec: { cpus: 2, replicas: 5 } });
    expect(value).toMatchObject({
      metadata: {
        managedFields: expect.arrayContaining([
          expect.objectContaining({
            manager: 'scaler',
            subresource: 'scale',
            fieldsV1: { 'f:spec': { 'f:replicas': {} } },
          }),
        ]),
      },
    });
  });

  it('can be replaced', async () => {
    await using world = await worldWithReplicas(3);
    const scale = { metadata: { name: 'm1' }, spec: { replicas: 7 } };

    const replaced = await world.registry.changeScale(MACHINES, M1, { kind: 'replace', scale }, writer());

    expect(replaced).toMatchObject({ spec: { replicas: 7 } });
  });

  it('of a built-in kind shows its selector as text', async () => {
    await using world = await openRegistry();
    const scale = {
      specReplicas: ['spec', 'replicas'],
      statusReplicas: ['status', 'replicas'],
      labelSelector: ['spec', 'selector'],
    };
    const things = configMaps({ kind: 'Thing', plural: 'things', scale });
    const spec = { replicas: 1, selector: { matchLabels: { app: 'web' } } };
    await world.registry.create(things, 'default', { metadata: { name: 'm1' }, spec }, writer());

    expect(await world.registry.getScale(things, M1)).toMatchObject({ status: { replicas: 0, selector: 'app=web' } });
  });
});

describe('a scale is refused', () => {
  it.each<{ why: string; scale: JsonObject; status: JsonObject }>([
    {
      why: 'below zero',
      scale: { metadata: { name: 'm1' }, spec: { replicas: -1 } },
      status: {
        code: 422,
        message:
          'Machine.bench.example.dev "m1" is invalid: .spec.replicas: Invalid value: -1: should be a non-negative integer',
      },
    },
    { why: 'that is no number', scale: { metadata: { name: 'm1' }, spec: { replicas: 'x' } }, status: { code: 400 } },
    {
      why: 'that is stale',
      scale: { metadata: { name: 'm1', resourceVersion: '1' }, spec: { replicas: 1 } },
      status: { code: 409, reason: 'Conflict' },
    },
    {
      why: 'of another object',
      scale: { metadata: { name: 'm2' }, spec: { replicas: 1 } },
      status: { code: 400, message: 'the name of the object (m2) does not match the name on the URL (m1)' },
    },
  ])('$why', async ({ scale, status }) => {
    await using world = await worldWithReplicas(3);

    const refusal = await refusalOf(world.registry.changeScale(MACHINES, M1, { kind: 'replace', scale }, writer()));

    expect(refusal).toMatchObject(status);
  });

  it('where the kind has none, and where the object does not say', async () => {
    await using world = await openRegistry();
    await world.registry.create(MACHINES, 'default', machine('m1'), writer());

    const { scale: _scale, ...withoutScale } = MACHINES;

    expect(await refusalOf(world.registry.getScale(withoutScale, M1))).toMatchObject({ code: 404 });
    expect(await refusalOf(world.registry.getScale(MACHINES, M1))).toMatchObject({
      code: 500,
      message: 'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
    });
  });
});

async function worldWithReplicas(replicas: number): Promise<World> {
  const world = await openRegistry();
  await world.registry.create(MACHINES, 'default', machine('m1', { spec: { cpus: 2, replicas } }), writer());
  return world;
}
