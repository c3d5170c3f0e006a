import { expect, it, vi } from 'vitest';

import { openSession, type SimulatedSession } from './fixtures/simulated-session.ts';
import type { SimulatedOpenStackOptions } from './simulated-openstack.ts';

const LONG_MS = 60_000;

it.each([
  { status: 'ACTIVE', after: 'ACTIVE' },
  { status: 'SHUTOFF', after: 'SHUTOFF' },
  // Nova forgets over a failure what the server was before.
  { status: 'ERROR', after: 'ACTIVE' },
])('rebuilds a server that was $status as $after, and holds room on both hosts', async ({ status, after }) => {
  await using session = await openSession(twoHosts());
  const { cloud, client } = session;
  const id = cloud.addServer('node1', { status });
  cloud.changeHost('node1', { isUp: false });

  await client.compute.actions.evacuate(id);
  await ended(session, ['done']);

  expect(cloud.server(id)).toMatchObject({ host: 'node2', status: after, taskState: undefined, fault: undefined });
  expect(cloud.moves()).toMatchObject([{ type: 'evacuation', source: 'node1', destination: 'node2' }]);
  expect([await usedOf(session, 'node1'), await usedOf(session, 'node2')]).toEqual([512, 512]);
});

it('completes evacuations when the host returns, also while it is declared dead', async () => {
  await using session = await openSession(twoHosts());
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  cloud.changeHost('node1', { isUp: false, isForcedDown: true });
  await client.compute.actions.evacuate(id);
  await ended(session, ['done']);
  const before = cloud.host('node1')?.strayIds;

  cloud.changeHost('node1', { isUp: true });

  expect(before).toEqual([id]);
  expect(cloud.host('node1')?.strayIds).toEqual([]);
  expect(cloud.moves()).toMatchObject([{ status: 'completed' }]);
  expect([await usedOf(session, 'node1'), await usedOf(session, 'node2')]).toEqual([0, 512]);
});

it('shows a server as still being rebuilt when its record has failed already', async () => {
  await using session = await openSession(twoHosts({ evacuation: 'no-host', recordLagMs: LONG_MS }));
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  cloud.changeHost('node1', { isUp: false });

  await client.compute.actions.evacuate(id);
  await ended(session, ['error']);

  expect(cloud.server(id)).toMatchObject({ status: 'REBUILD', host: 'node1' });
});

it('shows a server as well on its dead host before the record is done', async () => {
  await using session = await openSession(twoHosts({ evacuationMs: 1, recordLagMs: LONG_MS }));
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  cloud.changeHost('node1', { isUp: false });

  await client.compute.actions.evacuate(id);

  await vi.waitFor(() => expect(cloud.moves()).toMatchObject([{ status: 'pre-migrating' }]));
  await vi.waitFor(() => expect(cloud.server(id)).toMatchObject({ host: 'node1', status: 'ACTIVE' }));
});

it.each([
  { outcome: 'no-host', record: 'error' },
  { outcome: 'fails', record: 'failed' },
] as const)('leaves a server in ERROR on its host when its evacuation $outcome, and takes it again', async (fate) => {
  await using session = await openSession(twoHosts());
  const { cloud, client } = session;
  const id = cloud.addServer('node1', { behaviour: { evacuation: fate.outcome } });
  cloud.changeHost('node1', { isUp: false });

  await client.compute.actions.evacuate(id);
  await ended(session, [fate.record]);
  await vi.waitFor(() => expect(cloud.server(id)).toMatchObject({ host: 'node1', status: 'ERROR' }));
  cloud.behave({ evacuation: 'succeeds' }, id);
  await client.compute.actions.evacuate(id, { host: 'node2' });
  await ended(session, ['done', fate.record]);

  expect(cloud.server(id)).toMatchObject({ host: 'node2', status: 'ACTIVE' });
});

it('finds no host among those that are disabled, even one that was named', async () => {
  await using session = await openSession({ hosts: ['node1', { name: 'node2', status: 'disabled' }] });
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  cloud.changeHost('node1', { isUp: false });

  await client.compute.actions.evacuate(id, { host: 'node2' });
  await ended(session, ['error']);

  const fault = expect.stringContaining('No valid host');
  await vi.waitFor(() => expect(cloud.server(id)).toMatchObject({ status: 'ERROR', fault }));
});

it('takes a second evacuation, and then the guest runs twice and its server is in ERROR', async () => {
  await using session = await openSession({ hosts: ['node1', 'node2', 'node3'], behaviour: { evacuationMs: 100 } });
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  cloud.changeHost('node1', { isUp: false });
  await client.compute.actions.evacuate(id);
  await vi.waitFor(() => expect(cloud.moves()).toMatchObject([{ status: 'pre-migrating' }]));

  await client.compute.actions.evacuate(id);
  await ended(session, ['failed', 'done']);

  expect(cloud.server(id)).toMatchObject({ status: 'ERROR', fault: expect.stringContaining('Conflict') });
  const running = cloud.hosts().filter(({ strayIds, serverIds }) => [...strayIds, ...serverIds].includes(id));
  expect(running.map(({ name }) => name)).toEqual(['node1', 'node2', 'node3']);
});

it('strands both when the second comes before the first has a host', async () => {
  await using session = await openSession(twoHosts({ schedulingMs: 100 }));
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  cloud.changeHost('node1', { isUp: false });

  await client.compute.actions.evacuate(id);
  await client.compute.actions.evacuate(id);
  const stranded = cloud.moves().map(({ status }) => status);
  cloud.changeHost('node1', { isUp: true });

  expect(stranded).toEqual(['failed', 'accepted']);
  expect(cloud.server(id)).toMatchObject({ status: 'ERROR', host: 'node1' });
  expect(cloud.moves()).toMatchObject([{ status: 'failed' }, { status: 'completed', destination: undefined }]);
  expect([await usedOf(session, 'node1'), await usedOf(session, 'node2')]).toEqual([0, 0]);
});

it('never ends one whose target dies meanwhile', async () => {
  await using session = await openSession({ hosts: ['node1', 'node2', 'node3'], behaviour: { evacuationMs: 300 } });
  const { cloud, client } = session;
  const [first, second] = [cloud.addServer('node1'), cloud.addServer('node1')];
  cloud.changeHost('node1', { isUp: false });
  await client.compute.actions.evacuate(first, { host: 'node2' });
  await vi.waitFor(() => expect(cloud.moves()).toMatchObject([{ status: 'pre-migrating' }]));
  cloud.changeHost('node2', { isUp: false });

  await client.compute.actions.evacuate(second, { host: 'node3' });
  await vi.waitFor(() => expect(cloud.moves()).toMatchObject([{}, { status: 'done' }]));

  expect(cloud.moves()).toMatchObject([{ status: 'pre-migrating' }, {}]);
  expect(cloud.server(first)).toMatchObject({ status: 'REBUILD', host: 'node1' });
});

it('lists the record of an evacuation late, if it is told to', async () => {
  await using session = await openSession(twoHosts({ recordDelayMs: LONG_MS }));
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  cloud.changeHost('node1', { isUp: false });

  await client.compute.actions.evacuate(id);

  expect(await client.compute.migrations.list().all()).toEqual([]);
  expect(cloud.moves()).toHaveLength(1);
});

it.each([
  ['of an unknown server', { server: '00000000-0000-4000-8000-000000000000' }, 'not-found'],
  ['to an unknown host', { host: 'nowhere' }, 'not-found'],
  ['to the host it is on', { host: 'node1' }, 'bad-request'],
  ['of a server that is paused', { status: 'PAUSED' }, 'conflict'],
  ['off a host that lives', { isUp: true }, 'bad-request'],
] as const)('refuses an evacuation %s', async (_name, wish, code) => {
  await using session = await openSession(twoHosts());
  const { cloud, client } = session;
  const { server, host, status, isUp = false }: Wish = wish;
  const id = cloud.addServer('node1', { status });
  cloud.changeHost('node1', { isUp });

  await expect(client.compute.actions.evacuate(server ?? id, { host })).rejects.toMatchObject({ code });
  expect(cloud.moves()).toEqual([]);
});

it('leaves a server off by the versions that do so', async () => {
  await using session = await openSession(twoHosts());
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  cloud.changeHost('node1', { isUp: false });

  await client.compute.actions.evacuate(id, { isLeftStopped: true });
  await ended(session, ['done']);

  expect(cloud.server(id)).toMatchObject({ status: 'SHUTOFF', host: 'node2' });
});

it('says of a host that was disabled when it was dead to Placement only when it is back', async () => {
  await using session = await openSession(twoHosts());
  const { cloud, client } = session;
  const id = cloud.host('node1')?.serviceId ?? '';
  cloud.changeHost('node1', { isUp: false });

  await client.compute.services.update(id, { status: 'disabled' });
  const dead = cloud.host('node1')?.traits;
  cloud.changeHost('node1', { isUp: true });

  expect(dead).not.toContain('COMPUTE_STATUS_DISABLED');
  expect(cloud.host('node1')?.traits).toContain('COMPUTE_STATUS_DISABLED');
});

it('restarts a server whose guest is off, and never one of a dead host', async () => {
  await using session = await openSession(twoHosts());
  const { cloud, client } = session;
  const [crashed, lost] = [cloud.addServer('node1'), cloud.addServer('node2')];
  cloud.stopGuest(crashed);
  const seen = await client.compute.servers.get(crashed);
  cloud.changeHost('node2', { isUp: false });

  await client.compute.actions.reboot(lost, 'hard');
  await client.compute.actions.reboot(crashed, 'hard');
  await vi.waitFor(() => expect(cloud.server(crashed)).toMatchObject({ status: 'ACTIVE', taskState: undefined }));

  expect(seen).toMatchObject({ status: 'ACTIVE', powerState: 4 });
  expect(await client.compute.servers.get(crashed)).toMatchObject({ powerState: 1 });
  expect(cloud.server(lost)).toMatchObject({ status: 'HARD_REBOOT' });
});

it('has no name to a stop when Nova has noticed that a guest is off', async () => {
  await using session = await openSession(twoHosts());
  const { cloud, client } = session;
  const [crashed, stopped] = [cloud.addServer('node1'), cloud.addServer('node1')];

  cloud.stopGuest(crashed, { isNoticed: true });
  await client.compute.actions.stop(stopped);

  const newest = await Promise.all(
    [crashed, stopped].map((id) => client.compute.actions.history(id, { pageSize: 1 }).find(() => true)),
  );
  expect(newest).toMatchObject([
    { action: 'stop', userId: undefined },
    { action: 'stop', userId: expect.any(String) },
  ]);
  expect(await client.compute.servers.get(crashed)).toMatchObject({ status: 'SHUTOFF', powerState: 4 });
});

interface Wish {
  readonly server?: string;
  readonly host?: string;
  readonly status?: string;
  readonly isUp?: boolean;
}

function twoHosts(behaviour: SimulatedOpenStackOptions['behaviour'] = {}): SimulatedOpenStackOptions {
  return { hosts: ['node1', 'node2'], behaviour };
}

/** Waits until the records, the newest first, say so. */
async function ended({ client }: SimulatedSession, statuses: readonly string[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const records = await client.compute.migrations.list({ type: 'evacuation' }).all();
      expect(records.map(({ status }) => status)).toEqual(statuses);
    },
    { timeout: 5000 },
  );
}

async function usedOf({ client, cloud }: SimulatedSession, host: string): Promise<number | undefined> {
  const { usages } = await client.placement.providers.usages(cloud.host(host)?.hypervisorId ?? '');
  return usages['MEMORY_MB'];
}
