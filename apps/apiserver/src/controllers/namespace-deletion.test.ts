import { expect, it } from 'vitest';

import { forbiddenError } from '../errors/make-status-error.ts';
import { objectAt, objectsAt } from '../identity/object-fields.ts';
import { metadataOf } from '../registry/object-metadata.ts';
import { openWorld, type World } from './fixtures/open-world.ts';
import { NamespaceDeletion } from './namespace-deletion.ts';

it('empties a namespace and lets it go', async () => {
  await using world = await openWorld();
  await using loop = new NamespaceDeletion(world.deps);
  await fill(world);

  await world.delete('Namespace', 'old');
  await gone(world, loop);

  expect(await world.names('Namespace')).toEqual(['default']);
  expect([...(await world.names('ConfigMap')), ...(await world.names('Secret'))]).toEqual(['stays']);
});

it('goes on after a restart', async () => {
  await using world = await openWorld();
  await fill(world);
  await world.delete('Namespace', 'old');

  await using loop = new NamespaceDeletion(world.deps);
  await gone(world, loop);

  expect(await world.names('Namespace')).toEqual(['default']);
});

it('says what is left and which finalizers hold it', async () => {
  await using world = await openWorld();
  await using loop = new NamespaceDeletion(world.deps);
  await fill(world, ['example.dev/hold']);

  await world.delete('Namespace', 'old');
  await loop.idle();
  const waiting = (await world.get('Namespace', 'old')) ?? {};
  const held = (await world.get('ConfigMap', 'held', 'old')) ?? {};
  await world.update({ ...held, metadata: { ...metadataOf(held), finalizers: [] } });
  await gone(world, loop);

  const conditions = objectsAt(objectAt(waiting, 'status'), 'conditions');
  expect(conditions.map(({ type, status, reason, message }) => [type, status, reason, message])).toEqual([
    ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'],
    [
      'NamespaceDeletionGroupVersionParsingFailure',
      'False',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ],
    [
      'NamespaceDeletionContentFailure',
      'False',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ],
    [
      'NamespaceContentRemaining',
      'True',
      'SomeResourcesRemain',
      'Some resources are remaining: configmaps. has 1 resource instances',
    ],
    [
      'NamespaceFinalizersRemaining',
      'True',
      'SomeFinalizersRemain',
      'Some content in the namespace has finalizers remaining: example.dev/hold in 1 resource instances',
    ],
  ]);
  expect(await world.names('Namespace')).toEqual(['default']);
});

it('tells why content could not be deleted, and tries again', async () => {
  await using world = await openWorld();
  await using loop = new NamespaceDeletion(world.deps);
  await fill(world);
  const guard = { isClosed: true };
  world.admission.add({
    validate: ({ operation, resource, name }) => {
      if (operation === 'DELETE' && resource.kind === 'Secret' && guard.isClosed)
        throw forbiddenError(resource, name, 'no');
    },
  });

  await world.delete('Namespace', 'old');
  await loop.idle();
  const status = objectAt((await world.get('Namespace', 'old')) ?? {}, 'status');
  guard.isClosed = false;
  await gone(world, loop);

  expect(objectsAt(status, 'conditions').find(({ type }) => type === 'NamespaceDeletionContentFailure')).toMatchObject({
    status: 'True',
    reason: 'ContentDeletionFailed',
    message: 'Failed to delete all resource types, 1 remaining: secrets "s" is forbidden: no',
  });
  expect(world.failures.length).toBeGreaterThan(0);
});

async function gone(world: World, loop: NamespaceDeletion): Promise<void> {
  await expect
    .poll(
      async () => {
        await loop.idle();
        return world.get('Namespace', 'old');
      },
      { timeout: 5_000, interval: 5 },
    )
    .toBeUndefined();
}

async function fill(world: World, finalizers: readonly string[] = []): Promise<void> {
  await world.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'old' } });
  await world.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'stays' } });
  await world.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'held', namespace: 'old', finalizers } });
  await world.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'old' } });
}
