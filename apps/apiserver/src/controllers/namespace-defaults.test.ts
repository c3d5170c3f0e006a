import { expect, it } from 'vitest';

import { openWorld, type World } from './fixtures/open-world.ts';
import { NamespaceDefaults } from './namespace-defaults.ts';

it('puts the account and the certificate of the authority into every namespace', async () => {
  await using world = await openWorld();
  await using loop = new NamespaceDefaults(world.deps, 'CA');

  await world.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'later' } });
  await settle(world, loop);

  expect(await world.names('ServiceAccount')).toEqual(['default', 'default']);
  expect(await world.get('ConfigMap', 'kube-root-ca.crt', 'later')).toMatchObject({ data: { 'ca.crt': 'CA' } });
});

it('brings back what was deleted or changed', async () => {
  await using world = await openWorld();
  await using loop = new NamespaceDefaults(world.deps, 'CA');
  await settle(world, loop);

  await world.delete('ServiceAccount', 'default');
  await world.update({ ...(await world.get('ConfigMap', 'kube-root-ca.crt')), data: { 'ca.crt': 'other' } });
  await settle(world, loop);

  expect(await world.names('ServiceAccount')).toEqual(['default']);
  expect(await world.get('ConfigMap', 'kube-root-ca.crt')).toMatchObject({ data: { 'ca.crt': 'CA' } });
});

async function settle(world: World, loop: NamespaceDefaults): Promise<void> {
  for (;;) {
    await loop.idle();
    const settled = world.deps.store.settled();
    if (settled === undefined) return;
    await settled;
  }
}
