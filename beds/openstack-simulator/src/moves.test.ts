import { expect, it, vi } from 'vitest';

import { openSession, type SimulatedSession } from './fixtures/simulated-session.ts';
import type { SimulatedOpenStackOptions } from './simulated-openstack.ts';

const LONG_MS = 60_000;

it('moves a server live, tells its progress, and says in the record when it is over', async () => {
  await using session = await openSession({ hosts: ['node1', 'node2'], behaviour: { liveMigrationMs: 200 } });
  const { cloud, client } = session;
  const id = cloud.addServer('node1', { flavor: { memoryMiB: 1024 } });

  await client.compute.actions.liveMigrate(id);
  const [progress] = await vi.waitFor(async () => {
    const found = await client.compute.migrations.inProgress(id);
    expect(found[0]?.memoryProcessedBytes).toBeGreaterThan(0);
    return found;
  });
  await ended(session, 'completed');

  expect(progress).toMatchObject({ status: 'running', destinationHost: 'node2', memoryTotalBytes: 1024 ** 3 });
  expect(cloud.server(id)).toMatchObject({ host: 'node2', status: 'ACTIVE' });
  expect(await client.compute.migrations.inProgress(id)).toEqual([]);
});

it('shows a server as arrived while its record still says running', async () => {
  await using session = await openSession(twoHosts({ liveMigrationMs: 1, recordLagMs: LONG_MS }));
  const { cloud, client } = session;
  const id = cloud.addServer('node1');

  await client.compute.actions.liveMigrate(id);

  await vi.waitFor(() => expect(cloud.server(id)).toMatchObject({ host: 'node2', status: 'ACTIVE' }));
  expect(cloud.moves()).toMatchObject([{ status: 'running' }]);
});

it.each([
  { outcome: 'fails', status: 'failed' },
  { outcome: 'no-host', status: 'error' },
] as const)('leaves the server where it was when its move $outcome', async ({ outcome, status }) => {
  await using session = await openSession(twoHosts({ liveMigration: outcome }));
  const id = session.cloud.addServer('node1');

  await session.client.compute.actions.liveMigrate(id);
  await ended(session, status);

  expect(session.cloud.server(id)).toMatchObject({ host: 'node1', status: 'ACTIVE', taskState: undefined });
  expect(await usedOf(session, 'node1')).toBe(512);
  expect(await usedOf(session, 'node2')).toBe(0);
});

it('holds room on both hosts while a server moves', async () => {
  await using session = await openSession(twoHosts({ liveMigrationMs: LONG_MS }));
  const id = session.cloud.addServer('node1');

  await session.client.compute.actions.liveMigrate(id);
  await vi.waitFor(() => expect(session.cloud.moves()).toMatchObject([{ status: 'running' }]));

  expect([await usedOf(session, 'node1'), await usedOf(session, 'node2')]).toEqual([512, 512]);
});

it('leaves a stuck move running until it is aborted', async () => {
  await using session = await openSession(twoHosts({ liveMigration: 'stuck', liveMigrationMs: 1 }));
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  await client.compute.actions.liveMigrate(id);
  await vi.waitFor(() => expect(cloud.moves()).toMatchObject([{ status: 'running' }]));

  await client.compute.migrations.abort(id, 1);
  await ended(session, 'cancelled');

  expect(cloud.server(id)).toMatchObject({ host: 'node1', status: 'ACTIVE' });
});

it('lets only so many leave a host at a time, and the next when one has arrived', async () => {
  await using session = await openSession(twoHosts({ maxConcurrentMovesPerHost: 1 }));
  const { cloud, client } = session;
  const first = cloud.addServer('node1', { behaviour: { liveMigration: 'stuck' } });
  const second = cloud.addServer('node1');

  for (const id of [first, second]) await client.compute.actions.liveMigrate(id);
  await vi.waitFor(() => expect(cloud.moves().map(({ status }) => status)).toEqual(['running', 'queued']));
  await client.compute.migrations.forceComplete(first, 1);
  await ended(session, 'completed');

  expect([first, second].map((id) => cloud.server(id)?.host)).toEqual(['node2', 'node2']);
});

it('aborts a move that still waits for its turn', async () => {
  await using session = await openSession(twoHosts({ liveMigrationMs: LONG_MS, maxConcurrentMovesPerHost: 1 }));
  const { cloud, client } = session;
  const ids = [cloud.addServer('node1'), cloud.addServer('node1')];
  for (const id of ids) await client.compute.actions.liveMigrate(id);
  await vi.waitFor(() => expect(cloud.moves()[1]).toMatchObject({ status: 'queued' }));

  await client.compute.migrations.abort(ids[1] ?? '', 2);

  await vi.waitFor(() => expect(cloud.moves().map(({ status }) => status)).toEqual(['running', 'cancelled']));
});

it('moves a server that is off, and keeps it off once that is confirmed', async () => {
  await using session = await openSession({ hosts: ['node1', 'node2'] });
  const { cloud, client } = session;
  const id = cloud.addServer('node1', { status: 'SHUTOFF' });

  await client.compute.actions.coldMigrate(id);
  await vi.waitFor(() => expect(cloud.server(id)).toMatchObject({ status: 'VERIFY_RESIZE', host: 'node2' }));
  await client.compute.actions.confirmResize(id);

  expect(cloud.server(id)).toMatchObject({ status: 'SHUTOFF', host: 'node2' });
  expect(cloud.moves()).toMatchObject([{ type: 'migration', status: 'confirmed' }]);
  expect(await usedOf(session, 'node1')).toBe(0);
});

it('goes back to the old host when a cold move is reverted', async () => {
  await using session = await openSession({ hosts: ['node1', 'node2'] });
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  await client.compute.actions.coldMigrate(id);
  await vi.waitFor(() => expect(cloud.server(id)).toMatchObject({ status: 'VERIFY_RESIZE' }));

  await client.compute.actions.revertResize(id);

  expect(cloud.server(id)).toMatchObject({ status: 'ACTIVE', host: 'node1' });
  expect(await usedOf(session, 'node2')).toBe(0);
});

it.each([
  { why: 'disabled', other: { name: 'node2', status: 'disabled' } },
  { why: 'down', other: { name: 'node2', isUp: false } },
  { why: 'full', other: { name: 'node2', memoryMiB: 600 } },
  { why: 'without the trait', other: { name: 'node2' }, extraSpecs: { 'trait:CUSTOM_GPU': 'required' } },
] as const)('finds no host when the only other one is $why', async ({ other, extraSpecs }) => {
  await using session = await openSession({ hosts: ['node1', other] });
  const id = session.cloud.addServer('node1', { flavor: { extraSpecs: extraSpecs ?? {} } });

  await session.client.compute.actions.liveMigrate(id);
  await ended(session, 'error');

  expect(session.cloud.server(id)).toMatchObject({ host: 'node1', status: 'ACTIVE' });
});

it('cannot move a server live that has a device of its host', async () => {
  await using session = await openSession({ hosts: ['node1', 'node2'] });
  const extraSpecs = { 'pci_passthrough:alias': 'gpu:1' };
  const id = session.cloud.addServer('node1', { flavor: { extraSpecs } });

  await session.client.compute.actions.liveMigrate(id);
  await ended(session, 'error');

  expect(session.cloud.server(id)).toMatchObject({ host: 'node1', status: 'ACTIVE' });
});

it('deletes a server in the middle of a move, and frees what it had', async () => {
  await using session = await openSession(twoHosts({ liveMigrationMs: LONG_MS }));
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  await client.compute.actions.liveMigrate(id);
  await vi.waitFor(() => expect(cloud.moves()).toMatchObject([{ status: 'running' }]));

  await client.compute.servers.delete(id);
  await vi.waitFor(() => expect(cloud.server(id)).toBeUndefined());

  expect([await usedOf(session, 'node1'), await usedOf(session, 'node2')]).toEqual([0, 0]);
});

function twoHosts(behaviour: SimulatedOpenStackOptions['behaviour']): SimulatedOpenStackOptions {
  return { hosts: ['node1', 'node2'], behaviour };
}

async function ended({ client }: SimulatedSession, status: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const records = await client.compute.migrations.list().all();
      expect(records.map((record) => record.status)).toEqual(records.map(() => status));
    },
    { timeout: 5000 },
  );
}

async function usedOf({ client, cloud }: SimulatedSession, host: string): Promise<number | undefined> {
  const { usages } = await client.placement.providers.usages(cloud.host(host)?.hypervisorId ?? '');
  return usages['MEMORY_MB'];
}
