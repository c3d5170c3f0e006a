import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { applyPatch } from './apply-patch.ts';
import { openRegistry, refusalOf, type World } from './fixtures/open-registry.ts';
import { machine, writer } from './fixtures/test-objects.ts';
import { configMaps, machines } from './fixtures/test-resources.ts';
import type { Patch } from './patch.ts';
import type { Subresource } from './write-context.ts';

const MACHINES = machines();
const M1 = { namespace: 'default', name: 'm1' };

describe('a patch', () => {
  it.each<{ patch: Patch; spec: JsonObject }>([
    { patch: { kind: 'json', body: [{ op: 'replace', path: '/spec/cpus', value: 5 }] }, spec: { cpus: 5 } },
    { patch: { kind: 'merge', body: { spec: { zone: 'b', cpus: null } } }, spec: { zone: 'b', cpus: 1 } },
  ])('of kind $patch.kind changes the object, then defaults it', async ({ patch, spec }) => {
    await using world = await worldWithMachine();

    const { object, isCreated } = await send(world, patch);

    expect(object.value).toMatchObject({ metadata: { generation: 2, resourceVersion: '3' }, spec });
    expect(isCreated).toBe(false);
  });

  it('merges lists by their keys in built-in kinds, as the schema says', async () => {
    await using world = await openRegistry();
    const maps = configMaps({
      schema: {
        type: 'object',
        properties: {
          items: {
            type: 'array',
            'x-kubernetes-patch-strategy': 'merge',
            'x-kubernetes-patch-merge-key': 'name',
            items: { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } } },
          },
        },
      },
      kind: 'Thing',
    });
    const items = [{ name: 'a', size: 1 }];
    await world.registry.create(maps, 'default', { metadata: { name: 'c' }, items }, writer());

    const { object } = await world.registry.patch(
      maps,
      { namespace: 'default', name: 'c' },
      { kind: 'strategic', body: { items: [{ name: 'b', size: 2 }] } },
      { context: writer(), subresource: '' },
    );

    expect(new Set(object.value['items'] as JsonObject[])).toEqual(
      new Set([
        { name: 'a', size: 1 },
        { name: 'b', size: 2 },
      ]),
    );
  });

  it('of the status leaves all else alone', async () => {
    await using world = await worldWithMachine();

    const body = { spec: { cpus: 9 }, status: { phase: 'Running' } };
    const { object } = await send(world, { kind: 'merge', body }, 'status');

    expect(object.value).toMatchObject({ spec: { cpus: 2 }, status: { phase: 'Running' } });
  });

  it('that changes nothing writes nothing', async () => {
    await using world = await worldWithMachine();
    world.clock.now += 60_000;

    const { object } = await send(world, { kind: 'merge', body: { spec: { cpus: 2 } } });

    expect(object.resourceVersion).toBe(2);
  });

  it('with a stale resourceVersion is refused', async () => {
    await using world = await worldWithMachine();

    const refusal = await refusalOf(send(world, { kind: 'merge', body: { metadata: { resourceVersion: '1' } } }));

    expect(refusal).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  it.each<{ why: string; patch: Patch; status: JsonObject }>([
    {
      why: 'whose test fails',
      patch: { kind: 'json', body: [{ op: 'test', path: '/spec/cpus', value: 9 }] },
      status: {
        code: 422,
        reason: 'Invalid',
        message: 'the server rejected our request due to an error in our request',
        details: {},
      },
    },
    {
      why: 'with unknown fields',
      patch: { kind: 'merge', body: { spec: { junk: 1 } } },
      status: {
        code: 422,
        reason: 'Invalid',
        message: expect.stringMatching(/^ "" is invalid: patch: .*unknown field/),
      },
    },
    {
      why: 'of the strategic kind for a custom resource',
      patch: { kind: 'strategic', body: {} },
      status: {
        code: 415,
        reason: 'UnsupportedMediaType',
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      },
    },
    {
      why: 'that renames the object',
      patch: { kind: 'merge', body: { metadata: { name: 'm2' } } },
      status: { code: 400, message: 'the name of the object (m2) does not match the name on the URL (m1)' },
    },
  ])('$why is refused', async ({ patch, status }) => {
    await using world = await worldWithMachine();

    expect(await refusalOf(send(world, patch))).toMatchObject(status);
    expect(world.store.resourceVersion).toBe(2);
  });

  it('of what does not exist is refused', async () => {
    await using world = await openRegistry();

    expect(await refusalOf(send(world, { kind: 'merge', body: {} }))).toMatchObject({ code: 404 });
  });
});

describe('an applied configuration', () => {
  it('makes the object when there is none', async () => {
    await using world = await openRegistry();

    const { object, isCreated } = await send(world, apply({ spec: { zone: 'a' } }));

    expect(isCreated).toBe(true);
    expect(object.value).toMatchObject({
      metadata: {
        name: 'm1',
        namespace: 'default',
        generation: 1,
        managedFields: [{ manager: 'test', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:zone': {} } } }],
      },
      spec: { zone: 'a', cpus: 1 },
    });
  });

  it('that is applied again writes nothing', async () => {
    await using world = await openRegistry();
    await send(world, apply({ spec: { zone: 'a' } }));
    world.clock.now += 60_000;

    const { object, isCreated } = await send(world, apply({ spec: { zone: 'a' } }));

    expect(isCreated).toBe(false);
    expect(object.resourceVersion).toBe(2);
  });

  it('removes what it no longer mentions', async () => {
    await using world = await openRegistry();
    await send(world, apply({ spec: { zone: 'a', cpus: 3 } }));

    const { object } = await send(world, apply({ spec: { cpus: 3 } }));

    expect(object.value['spec']).toEqual({ cpus: 3 });
  });

  it('is refused where others own a field, unless it is forced', async () => {
    await using world = await worldWithMachine();
    const context = writer({ fieldManager: 'other' });
    const options = { context, subresource: '' } as const;

    const refusal = await refusalOf(world.registry.patch(MACHINES, M1, apply({ spec: { cpus: 8 } }), options));
    const forced = await world.registry.patch(MACHINES, M1, { ...apply({ spec: { cpus: 8 } }), force: true }, options);

    expect(refusal).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "test" using bench.example.dev/v1: .spec.cpus',
      details: { causes: [{ reason: 'FieldManagerConflict', field: '.spec.cpus' }] },
    });
    expect(forced.object.value['spec']).toEqual({ cpus: 8 });
  });

  it('with a uid is refused when there is no object', async () => {
    await using world = await openRegistry();

    const refusal = await refusalOf(send(world, apply({ metadata: { name: 'm1', uid: 'u-1' } })));

    expect(refusal.message).toBe(
      'Operation cannot be fulfilled on machines.bench.example.dev "m1": uid mismatch: the provided object specified uid u-1, and no existing object was found',
    );
  });
});

describe('what makes an object what it is cannot be patched', () => {
  it('its uid', async () => {
    await using world = await worldWithMachine();

    const refusal = await refusalOf(send(world, { kind: 'merge', body: { metadata: { uid: 'u-2' } } }));

    expect(refusal).toMatchObject({ code: 422, details: { causes: [{ field: 'metadata.uid' }] } });
  });

  it.each([
    {
      body: { kind: 'Other' },
      message: 'Other.bench.example.dev "m1" is invalid: kind: Invalid value: "Other": must be Machine',
    },
    {
      body: { apiVersion: 'other/v1' },
      message: 'Machine.other "m1" is invalid: apiVersion: Invalid value: "other/v1": must be bench.example.dev/v1',
    },
  ])('its kind and version: $body', async ({ body, message }) => {
    await using world = await worldWithMachine();

    expect(await refusalOf(send(world, { kind: 'merge', body }))).toMatchObject({ code: 422, message });
  });
});

it('forgets who owns what when the list of owners is emptied', async () => {
  await using world = await worldWithMachine();

  const { object } = await send(world, { kind: 'merge', body: { metadata: { managedFields: [] } } });

  expect(object.value['metadata']).not.toHaveProperty('managedFields');
});

it('shows what a strategic patch says as Kubernetes prints it', () => {
  const patch = { kind: 'strategic', body: { odd: [1, { b: null, a: 'x' }] } } as const;
  const context = writer({ fieldValidation: 'Strict' });

  expect(() => applyPatch({ schema: { type: 'object' }, prune: findOdd }, {}, patch, context)).toThrow(
    'patch: Invalid value: "map[odd:[1 map[a:x b:<nil>]]]": strict decoding error: unknown field "odd"',
  );
});

function findOdd(object: JsonObject): { object: JsonObject; unknownFields: string[] } {
  return { object, unknownFields: ['odd'] };
}

function apply(changes: JsonObject): Extract<Patch, { kind: 'apply' }> {
  const base = { apiVersion: 'bench.example.dev/v1', kind: 'Machine', metadata: { name: 'm1' } };
  return { kind: 'apply', body: { ...base, ...changes }, force: false };
}

function send(world: World, patch: Patch, subresource: Subresource = '') {
  return world.registry.patch(MACHINES, M1, patch, { context: writer(), subresource });
}

async function worldWithMachine(): Promise<World> {
  const world = await openRegistry();
  await world.registry.create(MACHINES, 'default', machine('m1'), writer());
  return world;
}
