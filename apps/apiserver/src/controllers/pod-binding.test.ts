import { expect, it } from 'vitest';

import { isStatusError } from '../errors/status-error.ts';
import { openWorld, type World } from './fixtures/open-world.ts';
import { bindPod, checkBinding } from './pod-binding.ts';

it('gives a pod to a node and says that it was scheduled', async () => {
  await using world = await openWorld();
  await world.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });

  await bind(world, 'n1');

  expect(await world.get('Pod', 'p')).toMatchObject({
    spec: { nodeName: 'n1' },
    status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-01-02T03:04:05Z' }] },
  });
});

it('refuses to give a pod away twice', async () => {
  await using world = await openWorld();
  await world.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  await bind(world, 'n1');

  const error: unknown = await bind(world, 'n2').catch((reason: unknown) => reason);

  expect(isStatusError(error) ? error.status : error).toMatchObject({
    code: 409,
    message: 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"',
    details: { name: 'p', kind: 'pods/binding' },
  });
});

it('refuses a binding without a node or with another name', () => {
  const key = { namespace: 'default', name: 'p' };

  expect(() => checkBinding({ key, binding: { metadata: { name: 'q' }, target: { name: 'n' } } })).toThrow(
    'name in URL does not match name in Binding object',
  );
  expect(() => checkBinding({ key, binding: { metadata: { name: 'p' }, target: {} } })).toThrow(
    'target.name: Required value',
  );
});

function bind(world: World, node: string): Promise<void> {
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: node } };
  const pods = world.resource('Pod');
  const key = { namespace: 'default', name: 'p' };
  return bindPod(world.deps.store, { pods, key, binding, dryRun: false, now: world.clock.now });
}
