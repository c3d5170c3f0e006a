import { expect, it } from 'vitest';

import { ObjectExpiry } from './expire-objects.ts';
import { openWorld } from './fixtures/open-world.ts';

it('removes events an hour after they were last seen', async () => {
  await using world = await openWorld();
  await using expiry = new ObjectExpiry(world.deps);
  await world.create(event('old', '2026-01-02T03:04:05Z'));
  await world.create(event('again', '2026-01-02T04:00:00Z'));

  world.clock.now = Date.parse('2026-01-02T04:04:06Z');
  await expiry.sweep();

  expect(await world.names('Event')).toEqual(['again']);
});

function event(name: string, lastTimestamp: string): Parameters<Awaited<ReturnType<typeof openWorld>>['create']>[0] {
  const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
  const metadata = { name, namespace: 'default' };
  return { apiVersion: 'v1', kind: 'Event', metadata, involvedObject, reason: 'R', message: 'm', lastTimestamp };
}
