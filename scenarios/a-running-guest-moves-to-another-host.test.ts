import { join } from 'node:path';

import { ConsoleLog, ensureGuestImage, guestDomainXml, startHost, startNetwork } from '@smalt/bed-libvirt';
import { connect, DomainState, isNoDomain, migrateToUri, DomainMigrateFlags, type Connection } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { collectLifecycle } from './collect-lifecycle.ts';

it('keeps a guest running while it moves, and both hosts tell the move in order', { timeout: 180_000 }, async () => {
  await using network = await startNetwork();
  await using origin = await startHost({ network });
  await using target = await startHost({ network });
  await using from = await connect(origin.uri);
  await using to = await connect(target.uri);
  const log = new ConsoleLog(join(network.storagePath, 'traveller.log'));
  const xml = guestDomainXml({
    name: 'traveller',
    image: await ensureGuestImage(),
    words: ['tick'],
    console: { file: log.path },
  });
  const domain = await from.domainCreateXml({ xml });
  await log.waitFor(/tick 1\b/);
  await using left = await collectLifecycle(from);
  await using arrived = await collectLifecycle(to);

  await migrateToUri(from, { domain, destinationUri: target.uri, flags: DomainMigrateFlags.live });

  expect(await left.until('stopped')).toEqual(['suspended migrated', 'stopped migrated']);
  expect(await arrived.until('resumed')).toEqual(['started migrated', 'resumed migrated']);
  const ticksBefore = lastTick(await log.text());
  await log.waitFor(new RegExp(`tick ${ticksBefore + 2}\\b`));
  expect(await stateOf(to, 'traveller')).toBe(DomainState.running);
  await expect(from.domainLookupByName({ name: 'traveller' })).rejects.toSatisfy(isNoDomain);
});

async function stateOf(connection: Connection, name: string): Promise<number> {
  const domain = await connection.domainLookupByName({ name });
  return (await connection.domainGetState({ domain })).state;
}

function lastTick(text: string): number {
  return Math.max(...[...text.matchAll(/tick (\d+)/g)].map((match) => Number(match[1])));
}
