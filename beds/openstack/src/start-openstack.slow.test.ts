import { canRunOpenStack, CloudClient, NETWORK } from '@smalt/local-openstack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CloudSession, listOf } from './fixtures/cloud-session.ts';
import { startOpenStack } from './start-openstack.ts';
import type { OpenStackCloud } from './start-openstack.ts';

const patient = { timeout: 240_000 } as const;

describe.runIf(await canRunOpenStack())('a cloud of three hosts', () => {
  let cloud: OpenStackCloud;
  let session: CloudSession;

  beforeAll(async () => {
    cloud = await startOpenStack({ computes: ['node-a', 'node-b', 'node-c'] });
    session = await CloudSession.open(cloud);
  }, 240_000);

  afterAll(async () => {
    await cloud[Symbol.asyncDispose]();
  });

  it('gives every host to the scheduler, and what a smoke test looks for', async () => {
    const hypervisors = await session.admin.request(`${cloud.endpoints.compute}/os-hypervisors`);
    const images = await session.admin.request(`${cloud.endpoints.image}/v2/images?name=cirros-kvm`);
    const networks = await session.admin.request(`${cloud.endpoints.network}/v2.0/networks?shared=false`);

    expect(hypervisors).toMatchObject({
      hypervisors: [{ state: 'up' }, { state: 'up' }, { state: 'up' }],
    });
    expect(
      listOf(hypervisors, 'hypervisors')
        .map((each) => String(each['hypervisor_hostname']))
        .toSorted(),
    ).toEqual(['node-a', 'node-b', 'node-c']);
    expect(images).toMatchObject({ images: [{ name: 'cirros-kvm', status: 'active' }] });
    expect(networks).toMatchObject({ networks: [{ id: NETWORK.id, shared: false }] });
  });

  it('lists its services in the catalog and in the variables of OpenStack clients', async () => {
    const answer = await session.admin.request(`${cloud.authUrl}/auth/catalog`);

    expect(urlsOf(answer)).toEqual(cloud.endpoints);
    expect(cloud.environment()).toMatchObject({ OS_AUTH_URL: cloud.endpoints.identity, OS_USERNAME: 'admin' });
  });

  it('refuses a member what only the administrator may see', async () => {
    const signal = AbortSignal.timeout(20_000);
    const member = await CloudClient.logIn(cloud.authUrl, cloud.memberCredentials, signal);

    const asked = member.request(`${cloud.endpoints.compute}/os-services`);

    await expect(asked).rejects.toMatchObject({ code: 'request-failed', message: expect.stringContaining('403') });
  });

  it('boots a server, moves it live, evacuates it after a crash and deletes it', patient, async () => {
    await using server = await session.boot({ name: 'traveller', host: 'node-a', networks: [{ uuid: NETWORK.id }] });
    const console = await server.act({ 'os-getConsoleOutput': { length: 10 } });

    await server.act({ 'os-migrateLive': { host: 'node-b', block_migration: 'auto' } });
    await server.migration('live-migration', ['completed']);
    const afterMove = {
      a: await session.guestIds('node-a'),
      b: await session.guestIds('node-b'),
      host: await server.host(),
    };

    await cloud.compute('node-b').crash();
    await cloud.compute('node-b').expireReport();
    await session.serviceIs('node-b', 'down');
    await server.act({ evacuate: { host: 'node-c' } });
    await server.migration('evacuation', ['done']);
    const afterCrash = {
      host: await server.host(),
      c: await session.guestIds('node-c'),
      b: await session.guestIds('node-b'),
    };
    await cloud.compute('node-b').start();
    await session.serviceIs('node-b', 'up');
    await server.migration('evacuation', ['completed']);
    const afterReturn = await session.guestIds('node-b');
    await server.delete();

    expect(console).toMatchObject({ output: expect.stringContaining('traveller') });
    expect(afterMove).toEqual({ a: [], b: [server.id], host: 'node-b' });
    // The dead host still has the guest, as a real one would, and drops it when it is back.
    expect(afterCrash).toEqual({ host: 'node-c', c: [server.id], b: [server.id] });
    expect(afterReturn).toEqual([]);
    expect(await session.guestIds('node-c')).toEqual([]);
  });

  it('lets a move fail, at its end or before it begins, and leaves the server where it was', patient, async () => {
    await using server = await session.boot({ name: 'stayer', host: 'node-a' });
    await cloud.compute('node-a').setKnobs({ liveMigrationFails: true });
    await cloud.compute('node-c').setKnobs({ preLiveMigrationFails: true });

    await server.act({ 'os-migrateLive': { host: 'node-b', block_migration: 'auto' } });
    await server.migration('live-migration', ['failed']);
    await server.status('ACTIVE');
    await cloud.compute('node-a').setKnobs({ liveMigrationFails: false });
    await server.act({ 'os-migrateLive': { host: 'node-c', block_migration: 'auto' } });
    await server.migration('live-migration', ['error', 'failed'], 2);
    await cloud.compute('node-c').setKnobs({ preLiveMigrationFails: false });

    expect(await server.host()).toBe('node-a');
    expect(await session.guestIds('node-a')).toEqual([server.id]);
  });

  it('moves a stopped server cold, and keeps it quiet when it is told to', patient, async () => {
    await using server = await session.boot({ name: 'sleeper', host: 'node-a' });
    await cloud.compute('node-a').setKnobs({ consoleIsSilent: true });
    const silence = await server.act({ 'os-getConsoleOutput': {} });
    await server.act({ 'os-stop': null });
    await server.status('SHUTOFF');
    const stopped = await cloud.compute('node-a').guests();

    await server.act({ migrate: { host: 'node-b' } });
    await server.status('VERIFY_RESIZE');
    await server.act({ confirmResize: null });
    await server.status('SHUTOFF');
    await cloud.compute('node-a').setKnobs({ consoleIsSilent: false });

    expect(silence).toEqual({ output: '' });
    expect(stopped).toMatchObject([{ id: server.id, state: 'off' }]);
    expect([await session.guestIds('node-a'), await session.guestIds('node-b')]).toEqual([[], [server.id]]);
  });

  it('shows how far a slow move is, and aborts it', patient, async () => {
    await using server = await session.boot({ name: 'slow', host: 'node-a' });
    await cloud.compute('node-a').setKnobs({ liveMigrationSeconds: 600 });

    await server.act({ 'os-migrateLive': { host: 'node-b', block_migration: 'auto' } });
    const progress = await server.progress();
    await server.abortMove();
    await server.migration('live-migration', ['cancelled']);
    await cloud.compute('node-a').setKnobs({ liveMigrationSeconds: 0 });

    expect(progress).toMatchObject({ memory_total_bytes: 512 * 2 ** 20, dest_compute: 'node-b' });
    expect(await server.host()).toBe('node-a');
  });

  it('never finishes what a host was about when it lost its power', patient, async () => {
    await using server = await session.boot({ name: 'cut-off', host: 'node-a' });
    await cloud.compute('node-a').setKnobs({ liveMigrationSeconds: 600 });
    await server.act({ 'os-migrateLive': { host: 'node-b', block_migration: 'auto' } });
    await server.progress();

    await cloud.compute('node-a').crash();
    await cloud.compute('node-a').expireReport();
    await session.serviceIs('node-a', 'down');
    const left = await server.migration('live-migration', ['running']);
    const guests = await cloud.compute('node-a').guests();
    await cloud.compute('node-a').setKnobs({ liveMigrationSeconds: 0 });
    await cloud.compute('node-a').start();
    await session.serviceIs('node-a', 'up');

    expect(left).toMatchObject({ status: 'running', source_compute: 'node-a' });
    expect(guests).toEqual([{ id: server.id, name: expect.stringMatching(/^instance-/), state: 'off' }]);
  });

  it('keeps its guests running while only the compute service is away', patient, async () => {
    await using server = await session.boot({ name: 'guest', host: 'node-c' });

    await cloud.compute('node-c').stop();
    const meanwhile = await cloud.compute('node-c').guests();
    await cloud.compute('node-c').start();

    expect(meanwhile).toMatchObject([{ id: server.id, state: 'running' }]);
    expect(await cloud.compute('node-c').guests()).toEqual(meanwhile);
  });

  it('lets a boot fail', patient, async () => {
    await cloud.compute('node-b').setKnobs({ spawnFails: true });

    await using server = await session.boot({ name: 'stillborn', host: 'node-b', becomes: 'ERROR' });
    await cloud.compute('node-b').setKnobs({ spawnFails: false });

    expect(await session.guestIds('node-b')).not.toContain(server.id);
  });

  it('says which knob or host it does not know', async () => {
    const knobs: object = { warp: 9 };

    await expect(cloud.compute('node-a').setKnobs(knobs)).rejects.toThrow('unknown knobs: warp');
    await expect(cloud.compute('node-a').start()).rejects.toThrow('node-a runs already');
    await expect(cloud.compute('node-a').expireReport()).rejects.toThrow('node-a runs, and reports again');
    expect(() => cloud.compute('node-z')).toThrow('no compute node-z');
    await expect(startOpenStack({ computes: ['a', 'a'] })).rejects.toThrow('computes: "a"');
    await expect(startOpenStack({ computes: ['no/host'] })).rejects.toMatchObject({ code: 'invalid-option' });
  });

  it('tells the last words of every service', async () => {
    const tail = await cloud.logTail(5);

    for (const name of ['database', 'keystone', 'placement', 'glance', 'nova']) expect(tail).toContain(`== ${name}\n`);
  });
});

function urlsOf(answer: unknown): object {
  return Object.fromEntries(
    listOf(answer, 'catalog').map((service) => [service['type'], listOf(service, 'endpoints')[0]?.['url']]),
  );
}
