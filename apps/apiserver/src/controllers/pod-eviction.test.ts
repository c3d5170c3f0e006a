import type { JsonObject } from '@smalt/json';
import { expect, it } from 'vitest';

import { isStatusError } from '../errors/status-error.ts';
import { objectAt } from '../identity/object-fields.ts';
import { metadataOf } from '../registry/object-metadata.ts';
import { DisruptionBudgets } from './disruption-budgets.ts';
import { openWorld, type World } from './fixtures/open-world.ts';
import { evictPod } from './pod-eviction.ts';

it('evicts a pod that no budget covers, and lets its node stop it', async () => {
  await using world = await openWorld();
  await run(world, 'a');

  await evict(world, 'a');

  const pod = (await world.get('Pod', 'a')) ?? {};
  expect(metadataOf(pod)).toMatchObject({ deletionGracePeriodSeconds: 30 });
  expect(objectAt(pod, 'status')['conditions']).toContainEqual(
    expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }),
  );
});

it('evicts as many pods as the budget allows, and refuses the next with 429', async () => {
  await using world = await openWorld();
  await using budgets = new DisruptionBudgets(world.deps);
  for (const name of ['a', 'b', 'c']) await run(world, name);
  await world.create(budget({ minAvailable: 2 }));
  await settle(world, budgets);

  await evict(world, 'a');
  await settle(world, budgets);
  const refusal = await refusalOf(evict(world, 'b'));

  expect(refusal).toMatchObject({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [
        { reason: 'DisruptionBudget', message: 'The disruption budget web needs 2 healthy pods and has 2 currently' },
      ],
    },
  });
});

it('refuses while the budget has not been counted yet, and says when to try again', async () => {
  await using world = await openWorld();
  await run(world, 'a');
  await world.create(budget({ minAvailable: 0 }));

  const refusal = await refusalOf(evict(world, 'a'));

  expect(refusal).toMatchObject({
    code: 429,
    details: {
      retryAfterSeconds: 10,
      causes: [{ message: 'The disruption budget web is still being processed by the server.' }],
    },
  });
});

it('lets a pod go that is not ready when enough others are', async () => {
  await using world = await openWorld();
  await using budgets = new DisruptionBudgets(world.deps);
  await run(world, 'a');
  await run(world, 'b', 'False');
  await world.create(budget({ minAvailable: 1 }));
  await settle(world, budgets);

  await evict(world, 'b');

  expect(metadataOf((await world.get('Pod', 'b')) ?? {})['deletionTimestamp']).toBeDefined();
});

it('counts the pods that controllers want for a budget in percent', async () => {
  await using world = await openWorld();
  await using budgets = new DisruptionBudgets(world.deps);
  const selector = { matchLabels: { app: 'web' } };
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 4, selector, template };
  const owner = await world.create({ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web' }, spec });
  for (const name of ['a', 'b', 'c']) await run(world, name, 'True', owner);

  await world.create(budget({ maxUnavailable: '50%' }));
  await settle(world, budgets);

  expect(objectAt((await world.get('PodDisruptionBudget', 'web')) ?? {}, 'status')).toMatchObject({
    expectedPods: 4,
    desiredHealthy: 2,
    currentHealthy: 3,
    disruptionsAllowed: 1,
    observedGeneration: 1,
    conditions: [{ type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods' }],
  });
});

it('refuses an eviction that names another pod than its path', async () => {
  await using world = await openWorld();
  await run(world, 'a');

  const refusal = await refusalOf(evict(world, 'a', 'b'));

  expect(refusal).toMatchObject({ code: 400, message: 'name in URL does not match name in Eviction object' });
});

async function settle(world: World, budgets: DisruptionBudgets): Promise<void> {
  for (;;) {
    await budgets.idle();
    const settled = world.deps.store.settled();
    if (settled === undefined) return;
    await settled;
  }
}

function evict(world: World, name: string, named = name): Promise<void> {
  const { store, registry, now, contextFor } = world.deps;
  const deps = { store, registry, now, pods: world.resource('Pod'), budgets: world.resource('PodDisruptionBudget') };
  const context = contextFor(new AbortController().signal);
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: named } };
  return evictPod(deps, { key: { namespace: 'default', name }, eviction, options: {}, context });
}

async function refusalOf(request: Promise<unknown>): Promise<unknown> {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isStatusError(error) ? error.status : error;
}

async function run(world: World, name: string, ready = 'True', owner?: JsonObject): Promise<void> {
  const reference =
    owner === undefined
      ? {}
      : {
          ownerReferences: [
            {
              apiVersion: 'apps/v1',
              kind: 'ReplicaSet',
              name: 'web',
              uid: metadataOf(owner)['uid'] ?? '',
              controller: true,
            },
          ],
        };
  const metadata = { name, labels: { app: 'web' }, ...reference };
  const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] };
  const pod = await world.create({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
  const status = { ...objectAt(pod, 'status'), phase: 'Running', conditions: [{ type: 'Ready', status: ready }] };
  await world.update({ ...pod, status }, 'status');
}

function budget(limits: JsonObject): JsonObject {
  const spec = { selector: { matchLabels: { app: 'web' } }, ...limits };
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'web' }, spec };
}
