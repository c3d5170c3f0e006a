import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { metadataOf, metadataText } from '../registry/object-metadata.ts';
import { openWorld, type World } from './fixtures/open-world.ts';
import { GarbageCollector } from './garbage-collector.ts';

describe('background', () => {
  it('deletes what belongs to an object that is gone, over all generations', async () => {
    await using world = await openWorld();
    await using collector = new GarbageCollector(world.deps);
    const owner = await world.create(configMap('owner'));
    const child = await world.create(configMap('child', [owner]));
    await world.create(configMap('grandchild', [child]));
    await world.create(configMap('bystander'));

    await world.delete('ConfigMap', 'owner', { propagationPolicy: 'Background' });
    await settle(world, collector);

    expect(await world.names('ConfigMap')).toEqual(['bystander']);
  });

  it('keeps an object as long as one of its owners is there, and forgets the other', async () => {
    await using world = await openWorld();
    await using collector = new GarbageCollector(world.deps);
    const [gone, kept] = [await world.create(configMap('gone')), await world.create(configMap('kept'))];
    await world.create(configMap('child', [gone, kept]));

    await world.delete('ConfigMap', 'gone');
    await settle(world, collector);

    expect(await ownerNames(world, 'child')).toEqual(['kept']);
  });

  it('does at its start what was left undone before', async () => {
    await using world = await openWorld();
    const owner = await world.create(configMap('owner'));
    await world.create(configMap('child', [owner]));
    await world.delete('ConfigMap', 'owner');

    await using collector = new GarbageCollector(world.deps);
    await settle(world, collector);

    expect(await world.names('ConfigMap')).toEqual([]);
  });

  it('takes a new object of the same name for another owner', async () => {
    await using world = await openWorld();
    await using collector = new GarbageCollector(world.deps);
    const owner = await world.create(configMap('owner'));
    await world.delete('ConfigMap', 'owner');
    await world.create(configMap('owner'));

    await world.create(configMap('child', [owner]));
    await settle(world, collector);

    expect(await world.names('ConfigMap')).toEqual(['owner']);
  });

  it('lets an object be whose owner is of a kind that is not served', async () => {
    await using world = await openWorld();
    await using collector = new GarbageCollector(world.deps);

    await world.create(
      withOwner(configMap('child'), { apiVersion: 'gone.example/v1', kind: 'Thing', name: 'x', uid: 'u' }),
    );
    await settle(world, collector);

    expect(await world.names('ConfigMap')).toEqual(['child']);
  });

  it('lets an object without a namespace be that names an owner inside of one', async () => {
    await using world = await openWorld();
    await using collector = new GarbageCollector(world.deps);
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: 'u' };

    await world.create(withOwner({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'odd' } }, reference));
    await settle(world, collector);

    expect(await world.names('Namespace')).toEqual(['default', 'odd']);
  });
});

describe('foreground', () => {
  it('keeps the owner until those that block it are gone', async () => {
    await using world = await openWorld();
    const owner = await world.create(configMap('owner'));
    const held = { ...configMap('held', [owner]) };
    await world.create({ ...held, metadata: { ...metadataOf(held), finalizers: ['example.dev/hold'] } });
    await using collector = new GarbageCollector(world.deps);

    await world.delete('ConfigMap', 'owner', { propagationPolicy: 'Foreground' });
    await settle(world, collector);
    const whileHeld = await world.names('ConfigMap');
    const child = (await world.get('ConfigMap', 'held')) ?? {};
    await world.update({ ...child, metadata: { ...metadataOf(child), finalizers: [] } });
    await settle(world, collector);

    expect(whileHeld).toEqual(['held', 'owner']);
    expect(await world.names('ConfigMap')).toEqual([]);
  });

  it('does not let two objects wait for each other', async () => {
    await using world = await openWorld();
    await using collector = new GarbageCollector(world.deps);
    const first = await world.create(configMap('first'));
    const second = await world.create(configMap('second', [first]));
    await world.update(configMap('first', [second]));

    await world.delete('ConfigMap', 'first', { propagationPolicy: 'Foreground' });
    await settle(world, collector);

    expect(await world.names('ConfigMap')).toEqual([]);
  });
});

it('orphans what belongs to an object when it is asked to', async () => {
  await using world = await openWorld();
  await using collector = new GarbageCollector(world.deps);
  const owner = await world.create(configMap('owner'));
  await world.create(configMap('child', [owner]));

  await world.delete('ConfigMap', 'owner', { propagationPolicy: 'Orphan' });
  await settle(world, collector);

  expect(await world.names('ConfigMap')).toEqual(['child']);
  expect(await ownerNames(world, 'child')).toEqual([]);
});

// What the collector wrote comes back to it with the commit, and may give it more to do.
async function settle(world: World, collector: GarbageCollector): Promise<void> {
  for (;;) {
    await collector.idle();
    const settled = world.deps.store.settled();
    if (settled === undefined) break;
    await settled;
  }
  expect(world.failures).toEqual([]);
}

async function ownerNames(world: World, name: string): Promise<unknown> {
  const owners = metadataOf((await world.get('ConfigMap', name)) ?? {})['ownerReferences'];
  return (Array.isArray(owners) ? owners : []).map((owner: JsonObject) => owner['name']);
}

function configMap(name: string, owners: readonly JsonObject[] = []): JsonObject {
  const ownerReferences = owners.map((owner) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: metadataText(owner, 'name'),
    uid: metadataText(owner, 'uid'),
    blockOwnerDeletion: true,
  }));
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...(owners.length === 0 ? {} : { ownerReferences }) },
  };
}

function withOwner(object: JsonObject, reference: JsonObject): JsonObject {
  return { ...object, metadata: { ...metadataOf(object), ownerReferences: [reference] } };
}
