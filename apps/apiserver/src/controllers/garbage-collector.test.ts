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

// Names of roles may hold what separates the parts of an id, and the name up to there may be another role's.
it.each(['a|b', '|', 'a||'])('orphans, keeps and deletes a role named %s by its own name', async (name) => {
  await using world = await openWorld();
  await using collector = new GarbageCollector(world.deps);
  const [orphaning, deleting] = [await world.create(configMap('orphaning')), await world.create(configMap('deleting'))];
  await world.create(role('a'));
  await world.create(role(name, orphaning));
  await world.create(role(`${name}|gone`, deleting));

  await world.delete('ConfigMap', 'orphaning', { propagationPolicy: 'Orphan' });
  await world.delete('ConfigMap', 'deleting', { propagationPolicy: 'Background' });
  await settle(world, collector);

  expect(await world.names('ConfigMap')).toEqual([]);
  expect(await world.names('Role')).toEqual(['a', name].toSorted());
  expect(metadataOf((await world.get('Role', name)) ?? {})).not.toHaveProperty('ownerReferences');
});

it('comes back later to an object whose dependents do not let go of it', async () => {
  await using world = await openWorld();
  await using collector = new GarbageCollector(world.deps);
  const owner = await world.create(configMap('owner'));
  const child = await world.create(configMap('child', [owner]));
  const guard = { isClosed: true, count: 0 };
  world.admission.add({
    mutate: ({ object, name }) => {
      if (name !== 'child' || object === undefined || !guard.isClosed) return object;
      guard.count++;
      const { ownerReferences } = metadataOf(child);
      return { ...object, metadata: { ...metadataOf(object), ownerReferences: ownerReferences ?? [] } };
    },
  });

  await world.delete('ConfigMap', 'owner', { propagationPolicy: 'Orphan' });
  await settle(world, collector);
  const { count } = guard;
  const whileHeld = await world.names('ConfigMap');
  guard.isClosed = false;
  await expect.poll(() => world.names('ConfigMap'), { interval: 5 }).toEqual(['child']);

  expect(count).toBeLessThan(10);
  expect(whileHeld).toEqual(['child', 'owner']);
  expect(await ownerNames(world, 'child')).toEqual([]);
});

describe('after a restart', () => {
  it('orphans all that belongs to an object before it lets the object go', async () => {
    await using world = await openWorld();
    const names = await ownerWithManyDependents(world);
    await world.delete('ConfigMap', 'a-owner', { propagationPolicy: 'Orphan' });
    await stopInTheMiddle(world);

    await using collector = new GarbageCollector(world.deps);
    await settle(world, collector);

    expect(await world.names('ConfigMap')).toEqual(names);
    expect(new Set(await Promise.all(names.map((name) => ownerNames(world, name))).then((all) => all.flat()))).toEqual(
      new Set(),
    );
  });

  it('does not take an old version for the new one that it has heard of', async () => {
    await using world = await openWorld();
    const names = Array.from({ length: 1600 }, (_, index) => `m-${String(index).padStart(4, '0')}`);
    await Promise.all([...names, 'z-child'].map((name) => world.create(configMap(name))));
    const owner = await world.create(configMap('a-owner'));
    await using collector = new GarbageCollector(world.deps);
    // The list of objects has been made by then, and its end is not read yet.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));

    await world.update(configMap('z-child', [owner]));
    await settle(world, collector);
    await world.delete('ConfigMap', 'a-owner', { propagationPolicy: 'Orphan' });
    await settle(world, collector);

    expect(await ownerNames(world, 'z-child')).toEqual([]);
    expect(await world.get('ConfigMap', 'a-owner')).toBeUndefined();
  });

  it('keeps an owner that waits until all that block it are known and gone', async () => {
    await using world = await openWorld();
    await ownerWithManyDependents(world, ['example.dev/hold']);
    await world.delete('ConfigMap', 'a-owner', { propagationPolicy: 'Foreground' });

    await using collector = new GarbageCollector(world.deps);
    await settle(world, collector);

    expect(await world.get('ConfigMap', 'a-owner')).toBeDefined();
  });
});

// More than the collector reads in one turn, all of them behind their owner in the order of reading.
async function ownerWithManyDependents(world: World, finalizers: readonly string[] = []): Promise<readonly string[]> {
  const owner = await world.create(configMap('a-owner'));
  const fillers = Array.from({ length: 250 }, (_, index) => `filler-${String(index).padStart(3, '0')}`);
  await Promise.all(fillers.map((name) => world.create(configMap(name))));
  const children = Array.from({ length: 250 }, (_, index) => `held-${String(index).padStart(3, '0')}`);
  const make = (name: string): JsonObject => {
    const child = configMap(name, [owner]);
    return { ...child, metadata: { ...metadataOf(child), finalizers } };
  };
  await Promise.all(children.map((name) => world.create(make(name))));
  return [...fillers, ...children];
}

// Stops a collector as soon as its first write is durable.
async function stopInTheMiddle(world: World): Promise<void> {
  await using _collector = new GarbageCollector(world.deps);
  await new Promise<void>((resolve) => {
    const unsubscribe = world.deps.store.subscribe('configmaps', () => {
      unsubscribe();
      resolve();
    });
  });
}

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
  const ownerReferences = owners.map((owner) => referenceTo(owner));
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...(owners.length === 0 ? {} : { ownerReferences }) },
  };
}

function role(name: string, owner?: JsonObject): JsonObject {
  const object = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name }, rules: [] };
  return owner === undefined ? object : withOwner(object, referenceTo(owner));
}

function referenceTo(owner: JsonObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: metadataText(owner, 'name'),
    uid: metadataText(owner, 'uid'),
    blockOwnerDeletion: true,
  };
}

function withOwner(object: JsonObject, reference: JsonObject): JsonObject {
  return { ...object, metadata: { ...metadataOf(object), ownerReferences: [reference] } };
}
