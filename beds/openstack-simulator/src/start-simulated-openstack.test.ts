import { isNotFound, loadCloudConfig, OpenStackClient } from '@smalt/openstack';
import { expect, it, vi } from 'vitest';

import { openSession } from './fixtures/simulated-session.ts';
import { startSimulatedOpenStack } from './start-simulated-openstack.ts';

it('finds hypervisors by a part of their name, as Nova does', async () => {
  await using session = await openSession({ hosts: ['node1', 'node10', 'node2'] });
  const token = await tokenOf(session.cloud.environment());

  const url = `${session.cloud.endpoints.compute}/os-hypervisors/detail?hypervisor_hostname_pattern=node1`;
  const headers = { 'x-auth-token': token, 'openstack-api-version': 'compute 2.90' };
  const answer: unknown = await (await fetch(url, { headers })).json();

  const names = [{ hypervisor_hostname: 'node1' }, { hypervisor_hostname: 'node10' }];
  expect(answer).toMatchObject({ hypervisors: names });
});

it('names a compute service as it is told, and finds it by that name alone', async () => {
  await using session = await openSession({
    hosts: [{ name: 'node1.example.org', serviceHost: 'nova-compute-node1' }],
  });
  const { services, hypervisors } = session.client.compute;

  expect(await services.findCompute('nova-compute-node1')).toMatchObject({ state: 'up' });
  expect(await services.findCompute('node1.example.org')).toBeUndefined();
  expect(await hypervisors.findByHostname('node1.example.org')).toMatchObject({ serviceHost: 'nova-compute-node1' });
});

it('makes a server on the host that its zone names, with a console that says its name', async () => {
  await using session = await openSession({ hosts: [{ name: 'node1', zone: 'az1', status: 'disabled' }, 'node2'] });
  const { servers, actions } = session.client.compute;
  const id = await servers.create({ ...smokeTest(), availabilityZone: 'az1:node1' });

  await vi.waitFor(() => expect(session.cloud.server(id)).toMatchObject({ status: 'ACTIVE', host: 'node1' }));

  expect(await actions.consoleOutput(id, { lines: 11 })).toContain('smoke');
  await servers.delete(id);
  await vi.waitFor(async () => {
    expect(isNotFound(await servers.get(id).catch((error: unknown) => error))).toBe(true);
  });
});

it('ends a server in ERROR when it cannot be made', async () => {
  await using session = await openSession({ hosts: ['node1'], behaviour: { spawnFault: 'no disk left' } });
  const id = await session.client.compute.servers.create(smokeTest());

  await vi.waitFor(() => expect(session.cloud.server(id)?.status).toBe('ERROR'));

  expect(await session.client.compute.servers.get(id)).toMatchObject({ fault: { code: 500, message: 'no disk left' } });
});

it('keeps the servers of projects apart', async () => {
  await using session = await openSession({ hosts: ['node1'] });
  const { cloud, client } = session;
  cloud.addServer('node1', { name: 'ours', project: 'test' });
  cloud.addServer('node1', { name: 'theirs', project: 'admin' });
  const config = await loadCloudConfig({ environment: cloud.environment('member') });
  await using member = new OpenStackClient({ config, userAgent: 'test/1' });

  const seen = [await namesOf(member, false), await namesOf(client, false), await namesOf(client, true)];

  expect(seen).toEqual([['ours'], ['theirs'], ['theirs', 'ours']]);
  await expect(member.compute.services.list()).rejects.toMatchObject({ code: 'forbidden' });
  await expect(member.placement.providers.list()).rejects.toMatchObject({ code: 'forbidden' });
});

it('forgets a host whose service is deleted, but not a provider that somebody uses', async () => {
  await using session = await openSession({ hosts: [{ name: 'node1', zone: 'az1' }, 'node2'] });
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  cloud.allocate('node2', 'a0000000-0000-4000-8000-000000000001', { VCPU: 1 });
  const [first, second] = cloud.hosts();

  const tooEarly = client.compute.services.delete(first?.serviceId ?? '');
  await expect(tooEarly).rejects.toMatchObject({ code: 'conflict' });
  cloud.removeServer(id);
  await client.compute.services.delete(first?.serviceId ?? '');
  await client.compute.services.delete(second?.serviceId ?? '');

  expect(cloud.hosts()).toEqual([]);
  expect((await client.compute.aggregates.list()).map(({ hosts }) => hosts)).toEqual([[]]);
  const providers = await client.placement.providers.list();
  expect(providers.map(({ name }) => name)).toEqual(['node2']);
});

it('serves thousands of hosts page by page', async () => {
  const hosts = Array.from({ length: 2500 }, (_, index) => `node${index}`);
  await using session = await openSession({ hosts });

  const listed = await session.client.compute.hypervisors.list().all();

  expect(listed).toHaveLength(2500);
  expect(session.cloud.countOf('compute GET /os-hypervisors')).toBe(3);
});

it('counts calls by what they are for, and forgets them when told', async () => {
  await using session = await openSession({ hosts: ['node1', 'node2'] });
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  await client.compute.actions.liveMigrate(id);
  await client.placement.providers.createTrait('CUSTOM_A');

  expect(cloud.counts()).toMatchObject({
    'compute POST /servers/{id}/action os-migrateLive': 1,
    'placement PUT /traits/{trait}': 1,
  });
  expect(cloud.countOf(/^compute POST .*[/]action$/)).toBe(1);
  cloud.forgetCalls();
  expect(cloud.calls).toEqual([]);
});

it.each([
  { options: { hosts: ['node1', 'node1'] }, message: /node1 is there twice/ },
  { options: { latencyMs: -1 }, message: /^latencyMs: / },
])('refuses options that cannot work: $message', async ({ options, message }) => {
  const started = startSimulatedOpenStack(options);

  await expect(started).rejects.toMatchObject({ code: 'invalid-option', message: expect.stringMatching(message) });
});

it('takes as long to answer as it is told', async () => {
  await using session = await openSession({ latencyMs: 40 });
  await session.client.compute.aggregates.list();

  const began = performance.now();
  await session.client.compute.aggregates.list();

  expect(performance.now() - began).toBeGreaterThanOrEqual(39);
});

function smokeTest() {
  return { name: 'smoke', flavorId: '1', boot: { kind: 'image', imageId: 'x' }, networkIds: [] } as const;
}

async function namesOf({ compute }: OpenStackClient, isAllProjects: boolean): Promise<readonly unknown[]> {
  return (await compute.servers.list({ isAllProjects }).all()).map(({ name }) => name);
}

async function tokenOf(environment: Readonly<Record<string, string>>): Promise<string> {
  const user = { name: 'admin', domain: { id: 'default' }, password: environment['OS_PASSWORD'] };
  const scope = { project: { name: 'admin', domain: { id: 'default' } } };
  const body = JSON.stringify({ auth: { identity: { methods: ['password'], password: { user } }, scope } });
  const response = await fetch(`${environment['OS_AUTH_URL']}/auth/tokens`, { method: 'POST', body });
  return response.headers.get('x-subject-token') ?? '';
}
