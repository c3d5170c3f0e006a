import { expect, it } from 'vitest';

import { openSession } from './fixtures/simulated-session.ts';

const UNKNOWN = { status: 'UNKNOWN', name: undefined, host: undefined };

it('leaves servers and moves of a cell that cannot be reached out of lists with a filter, without a word', async () => {
  await using session = await openSession({ hosts: ['node1', 'node2'], behaviour: { liveMigration: 'stuck' } });
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  const other = cloud.addServer('node2');
  const { servers, migrations } = client.compute;
  await client.compute.actions.liveMigrate(id);

  cloud.changeHost('node1', { isReachable: false });
  const ofHost = await servers.list({ host: 'node1' }).all();
  const names = await servers.listNames({ host: 'node1' }).all();
  const moves = await migrations.list({ sourceHost: 'node1' }).all();
  const all = await servers.list({ isAllProjects: true }).all();

  expect([ofHost, names, moves]).toEqual([[], [], []]);
  expect(all).toMatchObject([
    { id: other, host: 'node2' },
    { id, ...UNKNOWN },
  ]);
});

it('says of one server that nothing is known of it, and carries nothing out, until its cell is back', async () => {
  await using session = await openSession({ hosts: ['node1', 'node2'] }, { maxAttempts: 1 });
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  cloud.changeHost('node1', { isReachable: false });

  const lost = await client.compute.servers.get(id);
  await expect(client.compute.actions.liveMigrate(id)).rejects.toMatchObject({ code: 'server' });
  await expect(client.compute.servers.delete(id)).rejects.toMatchObject({ code: 'server' });
  cloud.changeHost('node1', { isReachable: true });

  expect(lost).toMatchObject({ id, ...UNKNOWN });
  expect(await client.compute.servers.get(id)).toMatchObject({ id, status: 'ACTIVE', host: 'node1' });
  expect(cloud.moves()).toEqual([]);
});

it('loses all cells for as many requests as a fault says', async () => {
  await using session = await openSession({ hosts: ['node1'] }, { maxAttempts: 1 });
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  const hypervisorId = cloud.host('node1')?.hypervisorId ?? '';
  const effect = { kind: 'cells-away' } as const;
  cloud.inject({ path: '/servers/detail', times: 1, effect });
  cloud.inject({ path: /os-hypervisors/, times: 1, effect });

  const listed = await client.compute.servers.list({ host: 'node1' }).all();
  await expect(client.compute.hypervisors.get(hypervisorId)).rejects.toMatchObject({ code: 'server' });

  expect(listed).toEqual([]);
  expect(await client.compute.servers.list({ host: 'node1' }).all()).toMatchObject([{ id }]);
  expect(await client.compute.hypervisors.get(hypervisorId, { withServers: true })).toMatchObject({
    servers: [{ id }],
  });
});
