import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { openRegistry, refusalOf, type World } from './fixtures/open-registry.ts';
import { machine, writer } from './fixtures/test-objects.ts';
import { configMaps, machines, namespaces } from './fixtures/test-resources.ts';
import type { ListOptions } from './list-objects.ts';

const MACHINES = machines();

describe('a list', () => {
  it('is in the order of namespaces and names, byte by byte', async () => {
    await using world = await openRegistry();
    for (const name of ['a', 'a-b']) await world.registry.create(namespaces(), '', { metadata: { name } }, writer());
    for (const [namespace, name] of [
      ['a', 'z'],
      ['a', 'b'],
      ['a-b', 'c'],
      ['default', 'd'],
    ] as const) {
      await world.registry.create(MACHINES, namespace, machine(name), writer());
    }

    const all = await world.registry.list(MACHINES, { namespace: '' });
    const one = await world.registry.list(MACHINES, { namespace: 'a' });

    expect(all.items.map(({ key }) => key)).toEqual(['a-b/c', 'a/b', 'a/z', 'default/d']);
    expect(one.items.map(({ key }) => key)).toEqual(['a/b', 'a/z']);
    expect(all.resourceVersion).toBe(world.store.resourceVersion);
  });

  it.each<{ options: Partial<ListOptions>; names: string[] }>([
    { options: { labelSelector: 'app=a' }, names: ['m1', 'm3'] },
    { options: { labelSelector: 'app in (b,c),tier!=x' }, names: ['m2'] },
    { options: { labelSelector: '!app' }, names: ['m4'] },
    { options: { fieldSelector: 'metadata.name=m2' }, names: ['m2'] },
    { options: { fieldSelector: 'metadata.namespace=default,metadata.name!=m2' }, names: ['m1', 'm3', 'm4'] },
    { options: { fieldSelector: 'spec.zone=z1', labelSelector: 'app' }, names: ['m1'] },
    { options: { fieldSelector: 'metadata.namespace=other' }, names: [] },
  ])('shows what $options selects', async ({ options, names }) => {
    await using world = await worldWithFour();

    const page = await world.registry.list(MACHINES, { namespace: '', ...options });

    expect(page.items.map(({ name }) => name)).toEqual(names);
  });

  it('in pages shows the state of the first page, whatever happens in between', async () => {
    await using world = await worldWithFour();

    const first = await world.registry.list(MACHINES, { namespace: '', limit: 2 });
    await world.registry.delete(MACHINES, { namespace: 'default', name: 'm4' }, {}, writer());
    await world.registry.create(MACHINES, 'default', machine('m31'), writer());
    await relabel(world, 'm3');
    const second = await world.registry.list(MACHINES, { namespace: '', limit: 2, continue: first.continue });

    expect(first).toMatchObject({ remainingItemCount: 2, resourceVersion: 5 });
    expect(second.items.map(({ name, labels }) => [name, labels['app']])).toEqual([
      ['m3', 'a'],
      ['m4', undefined],
    ]);
    expect(second).toMatchObject({ resourceVersion: 5 });
    expect(second.continue).toBeUndefined();
  });

  it('counts what remains only when nothing is selected', async () => {
    await using world = await worldWithFour();

    const page = await world.registry.list(MACHINES, { namespace: 'default', limit: 1, labelSelector: 'app=a' });

    expect(page.continue).toBeDefined();
    expect(page).not.toHaveProperty('remainingItemCount');
  });

  it('whose first page is too old can be gone on with, inconsistently', async () => {
    await using world = await worldWithFour({ minEvents: 1, minAgeMs: -1 });
    const first = await world.registry.list(MACHINES, { namespace: '', limit: 2 });
    for (let count = 0; count < 4; count++) await relabel(world, 'm4');

    const options = { namespace: '', limit: 2, continue: first.continue };
    const refusal = await refusalOf(world.registry.list(MACHINES, options));
    const rest = await world.registry.list(MACHINES, { ...options, continue: refusal.metadata.continue });

    expect(refusal).toMatchObject({ code: 410, reason: 'Expired' });
    expect(refusal.message).toMatch(
      /^The provided continue parameter is too old to display a consistent list result\./,
    );
    expect(rest.items.map(({ name }) => name)).toEqual(['m3', 'm4']);
  });

  it('shows an exact state of the past', async () => {
    await using world = await worldWithFour();
    await relabel(world, 'm1');

    const exact = await world.registry.list(MACHINES, {
      namespace: '',
      resourceVersion: '3',
      resourceVersionMatch: 'Exact',
    });

    expect(exact.items.map(({ name, labels }) => [name, labels['app']])).toEqual([
      ['m1', 'a'],
      ['m2', 'b'],
    ]);
    expect(exact.resourceVersion).toBe(3);
  });

  it.each<Partial<ListOptions>>([
    { resourceVersion: '0' },
    { resourceVersion: '3' },
    { resourceVersion: '3', resourceVersionMatch: 'NotOlderThan' },
  ])('that is at least as new as %o shows the newest state', async (options) => {
    await using world = await worldWithFour();

    expect(await world.registry.list(MACHINES, { namespace: '', ...options })).toMatchObject({ resourceVersion: 5 });
  });

  it.each<{ options: Partial<ListOptions>; status: JsonObject }>([
    {
      options: { resourceVersion: '999' },
      status: {
        code: 504,
        reason: 'Timeout',
        message: 'Timeout: Too large resource version: 999, current: 5',
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
      },
    },
    { options: { resourceVersion: 'abc' }, status: { code: 400, reason: 'BadRequest' } },
    { options: { continue: '%%%' }, status: { code: 400, reason: 'BadRequest' } },
    { options: { labelSelector: 'app in (' }, status: { code: 400, reason: 'BadRequest' } },
    {
      options: { fieldSelector: 'spec.cpus=1' },
      status: { code: 400, message: 'field label not supported: spec.cpus' },
    },
    {
      options: { resourceVersionMatch: 'Exact' },
      status: {
        code: 422,
        message:
          'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
      },
    },
  ])('is refused for $options', async ({ options, status }) => {
    await using world = await worldWithFour();

    const refusal = await refusalOf(world.registry.list(MACHINES, { namespace: '', ...options }));

    expect(refusal).toMatchObject(status);
  });

  it('of a built-in kind names the fields it can be selected by', async () => {
    await using world = await openRegistry();

    const refusal = await refusalOf(world.registry.list(configMaps(), { namespace: '', fieldSelector: 'data=x' }));

    expect(refusal.message).toBe('"data" is not a known field selector: only "metadata.name", "metadata.namespace"');
  });

  it('shows no write that is not durable, and no more than was there when it was asked for', async () => {
    await using world = await openRegistry();

    const creating = world.registry.create(MACHINES, 'default', machine('m1'), writer());
    const page = await world.registry.list(MACHINES, { namespace: '' });

    expect(page.resourceVersion).toBeLessThanOrEqual(world.store.durableResourceVersion);
    await creating;
  });
});

describe('an object that is served in several versions', () => {
  const v2 = machines({ version: 'v2' });

  it('is stored once and read in each', async () => {
    await using world = await worldWithFour();

    const { value, bytes } = await world.registry.get(v2, { namespace: 'default', name: 'm1' });
    const page = await world.registry.list(v2, { namespace: '' });

    expect(value['apiVersion']).toBe('bench.example.dev/v2');
    expect(bytes.toString().startsWith('{"apiVersion":"bench.example.dev/v2","kind":"Machine","metadata":')).toBe(true);
    expect(page.items).toHaveLength(4);
    expect(page.items[0]).toBe(await world.registry.get(v2, { namespace: 'default', name: 'm1' }));
  });

  it('gets the defaults that were declared after it was stored', async () => {
    await using world = await worldWithFour();
    const strategy = { ...MACHINES.strategy, default: (object: JsonObject) => ({ ...object, extra: 'new' }) };
    const properties = { ...MACHINES.schema.properties, extra: { type: 'string', default: 'new' } } as const;
    const changed = machines({ strategy, schema: { ...MACHINES.schema, properties } });

    const { value, resourceVersion } = await world.registry.get(changed, { namespace: 'default', name: 'm1' });

    expect(value['extra']).toBe('new');
    expect(resourceVersion).toBe(2);
  });
});

async function worldWithFour(history = {}): Promise<World> {
  const world = await openRegistry({ history });
  const labels: JsonObject[] = [{ app: 'a' }, { app: 'b' }, { app: 'a', tier: 'x' }, {}];
  for (const [index, own] of labels.entries()) {
    const spec = { cpus: 1, zone: `z${index + 1}` };
    await world.registry.create(
      MACHINES,
      'default',
      machine(`m${index + 1}`, { metadata: { labels: own }, spec }),
      writer(),
    );
  }
  return world;
}

async function relabel(world: World, name: string): Promise<void> {
  const body = { metadata: { labels: { app: `new-${world.store.resourceVersion}` } } };
  const options = { context: writer(), subresource: '' } as const;
  await world.registry.patch(MACHINES, { namespace: 'default', name }, { kind: 'merge', body }, options);
}
