import { setTimeout as delay } from 'node:timers/promises';

import { readExamples, runExample } from '@smalt/bed-kubernetes';
import { canRunOpenStack, startOpenStack, type OpenStackCloud } from '@smalt/bed-openstack';
import { Secret } from '@smalt/secret';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { CloudConfig } from './cloud-config.ts';
import type { Migration } from './compute/migrations.ts';
import type { Server } from './compute/server.ts';
import { loadCloudConfig } from './load-cloud-config.ts';
import { loginRequest } from './login.ts';
import { OpenStackClient } from './openstack-client.ts';
import { isNotFound } from './openstack-error.ts';

const patient = { timeout: 120_000 } as const;

let cloud: OpenStackCloud;
let client: OpenStackClient;
let boot: { readonly flavorId: string; readonly imageId: string; readonly networkId: string };

describe.runIf(await canRunOpenStack())('a real OpenStack', () => {
  beforeAll(async () => {
    // One name is the beginning of another, as node1 is of node10.
    cloud = await startOpenStack({ computes: ['node1', 'node10', 'node2'] });
    client = await clientOf(cloud.environment());
    const flavor = await client.compute.flavors.findByName('m1.tiny');
    const image = await client.images.findByName('cirros-kvm');
    const network = await client.networks.list({ isShared: false }).find(() => true);
    boot = { flavorId: flavor?.id ?? '', imageId: image?.id ?? '', networkId: network?.id ?? '' };
  }, 240_000);

  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    await cloud?.[Symbol.asyncDispose]();
  });

  describe('Keystone', () => {
    it('lets in with a password, with a token, and with an application credential', async () => {
      const config = await loadCloudConfig({ environment: cloud.environment() });
      const token = await rawToken(config);
      const { userId } = await client.whoAmI();
      const credential = await rawCredential(userId, token);

      const users = [];
      for (const [identity, scope] of [
        [config.identity, config.scope],
        [{ kind: 'token', token: new Secret(token) }, config.scope],
        [{ kind: 'application-credential', ...credential }, { kind: 'none' }],
      ] as const) {
        await using each = new OpenStackClient({ config: { ...config, identity, scope }, userAgent: 'test/1' });
        users.push(await each.whoAmI());
        await each.compute.services.list();
      }

      const admin = { userId, userName: 'admin', projectName: 'admin', roles: expect.arrayContaining(['admin']) };
      expect(users).toMatchObject([admin, admin, admin]);
    });

    it('refuses a wrong password, and the error names none', async () => {
      const config = await loadCloudConfig({ environment: { ...cloud.environment(), OS_PASSWORD: 'not-this-one' } });
      await using stranger = new OpenStackClient({ config, userAgent: 'test/1' });

      const error: unknown = await stranger.whoAmI().catch((caught: unknown) => caught);

      expect(error).toMatchObject({ code: 'unauthorized', requestId: expect.stringMatching(/^req-/) });
      expect(String(error)).not.toContain('not-this-one');
    });

    it('gives a token for the whole system', async () => {
      const config = await loadCloudConfig({ environment: cloud.environment() });
      await using system = new OpenStackClient({
        config: { ...config, scope: { kind: 'system' } },
        userAgent: 'test/1',
      });

      expect(await system.whoAmI()).toMatchObject({ userName: 'admin', projectId: undefined });
    });

    it('has no way to a token that is not one', async () => {
      const config = await loadCloudConfig({ environment: cloud.environment() });
      const identity = { kind: 'token', token: new Secret('nonsense') } as const;
      await using stranger = new OpenStackClient({ config: { ...config, identity }, userAgent: 'test/1' });

      await expect(stranger.whoAmI()).rejects.toMatchObject({ httpStatus: expect.any(Number) });
    });
  });

  describe('Nova', () => {
    it('tells its versions', async () => {
      expect(await client.compute.versions()).toMatchObject({ least: '2.1', most: expect.stringMatching(/^2\.\d+$/) });
      expect(await client.placement.versions()).toMatchObject({
        least: '1.0',
        most: expect.stringMatching(/^1\.\d+$/),
      });
    });

    it('finds a hypervisor by its exact name only', async () => {
      const found = await client.compute.hypervisors.findByHostname('node1', { withServers: true });
      const none = await client.compute.hypervisors.findByHostname('node');

      expect(found).toMatchObject({ hostname: 'node1', serviceHost: 'node1', state: 'up', vcpus: 16 });
      expect(none).toBeUndefined();
    });

    it('lists hypervisors page by page', async () => {
      const hosts = await client.compute.hypervisors.list({ pageSize: 1 }).all();

      expect(hosts.map(({ hostname }) => hostname).toSorted()).toEqual(['node1', 'node10', 'node2']);
    });

    it('disables and enables a service', async () => {
      const service = await client.compute.services.findCompute('node2');
      const id = service?.id ?? '';

      const disabled = await client.compute.services.update(id, { status: 'disabled', disabledReason: 'test' });
      const enabled = await client.compute.services.update(id, { status: 'enabled' });

      expect([disabled, enabled]).toMatchObject([
        { host: 'node2', status: 'disabled', disabledReason: 'test' },
        { host: 'node2', status: 'enabled', disabledReason: undefined },
      ]);
    });

    it('keeps aggregates', async () => {
      const { aggregates } = client.compute;
      const { id } = await aggregates.create({ name: 'tests' });

      await aggregates.addHost(id, 'node1');
      const again = aggregates.addHost(id, 'node1');

      await expect(again).rejects.toMatchObject({ code: 'conflict' });
      await expect(aggregates.delete(id)).rejects.toMatchObject({ code: 'bad-request' });
      expect(await aggregates.mergeMetadata(id, { colour: 'blue' })).toMatchObject({ metadata: { colour: 'blue' } });
      await aggregates.removeHost(id, 'node1');
      expect(await aggregates.get(id)).toMatchObject({ hosts: [] });
      await aggregates.delete(id);
      await expect(aggregates.get(id)).rejects.toMatchObject({ code: 'not-found' });
    });

    it('moves a server live, stopped and after the loss of its host', patient, async () => {
      const { servers, actions, migrations } = client.compute;
      const id = await makeServer('traveller', 'node1');

      await actions.liveMigrate(id, { host: 'node10' });
      const live = await ended(id, 'live-migration', ['completed']);
      await actions.stop(id);
      await serverWith(id, ({ status }) => status === 'SHUTOFF');
      await actions.coldMigrate(id, { host: 'node2' });
      await serverWith(id, ({ status }) => status === 'VERIFY_RESIZE');
      await actions.confirmResize(id);
      const cold = await ended(id, 'migration', ['confirmed']);
      // The record ends before the server leaves its state.
      await serverWith(id, ({ status }) => status === 'SHUTOFF');
      await cloud.compute('node2').crash();
      const service = await client.compute.services.findCompute('node2');
      await client.compute.services.update(service?.id ?? '', { isForcedDown: true });
      await actions.evacuate(id, { host: 'node1' });
      const evacuation = await ended(id, 'evacuation', ['done']);
      await cloud.compute('node2').start();
      await client.compute.services.update(service?.id ?? '', { isForcedDown: false });

      expect([live, cold, evacuation]).toMatchObject([
        { sourceHost: 'node1', destinationHost: 'node10', serverId: id },
        { sourceHost: 'node10', destinationHost: 'node2' },
        { sourceHost: 'node2', destinationHost: 'node1' },
      ]);
      expect(await servers.findByName('traveller')).toMatchObject([{ id, host: 'node1', status: 'SHUTOFF' }]);
      expect(await servers.findByName('travelle')).toEqual([]);
      expect(await migrations.inProgress(id)).toEqual([]);
      expect((await actions.history(id, { pageSize: 2 }).all()).map(({ action }) => action)).toEqual(
        expect.arrayContaining(['create', 'live-migration', 'stop', 'migrate', 'confirmResize', 'evacuate']),
      );
      await removeServer(id);
    });

    it('aborts a live migration that is under way', patient, async () => {
      const id = await makeServer('slow', 'node1');
      await cloud.compute('node1').setKnobs({ liveMigrationSeconds: 60 });

      await client.compute.actions.liveMigrate(id);
      const [running] = await untilDefined(async () => {
        const found = await client.compute.migrations.inProgress(id);
        return found[0]?.status === 'running' ? found : undefined;
      });
      await client.compute.migrations.abort(id, running?.id ?? 0);
      const aborted = await ended(id, 'live-migration', ['cancelled']);
      await cloud.compute('node1').setKnobs({ liveMigrationSeconds: 1 });

      expect([running, aborted]).toMatchObject([{ sourceHost: 'node1' }, { id: running?.id, status: 'cancelled' }]);
      expect(await client.compute.servers.list({ host: 'node1' }).all()).toMatchObject([{ id, host: 'node1' }]);
      expect(await client.compute.actions.consoleOutput(id, { lines: 5 })).toContain('slow');
      await removeServer(id);
    });

    it('lets a member see nothing of hosts', async () => {
      await using member = await clientOf(cloud.environment(cloud.memberCredentials));

      await expect(member.compute.services.list()).rejects.toMatchObject({ code: 'forbidden', httpStatus: 403 });
      await expect(member.compute.servers.list({ host: 'node1' }).all()).rejects.toMatchObject({ code: 'forbidden' });
    });
  });

  describe('Placement', () => {
    it('guards traits with a generation', async () => {
      const { providers } = client.placement;
      const [provider] = await providers.list({ name: 'node10' });
      const id = provider?.id ?? '';
      await providers.createTrait('CUSTOM_SMALT_TEST');
      const before = await providers.traits(id);

      const after = await providers.setTraits(id, { ...before, traits: [...before.traits, 'CUSTOM_SMALT_TEST'] });
      const stale = providers.setTraits(id, before);

      await expect(stale).rejects.toMatchObject({ code: 'concurrent-update' });
      expect(after.traits).toContain('CUSTOM_SMALT_TEST');
      expect(await providers.list({ required: ['CUSTOM_SMALT_TEST'] })).toMatchObject([{ id, name: 'node10' }]);
      await providers.setTraits(id, { ...after, traits: before.traits });
    });

    it('knows who uses what, and frees it', async () => {
      const { providers, allocations } = client.placement;
      const { id, generation } = await providers.create('leftover');
      const consumer = crypto.randomUUID();
      const unit = { reserved: 0, minUnit: 1, maxUnit: 8, stepSize: 1, allocationRatio: 2 };
      await providers.setInventories(id, { generation, inventories: { VCPU: { total: 8, ...unit } } });

      const owner = { projectId: 'p1', userId: 'u1' };
      await allocations.set(consumer, { providers: { [id]: { VCPU: 3 } }, ...owner, generation: undefined });
      const used = {
        usages: await providers.usages(id),
        allocations: await providers.allocations(id),
        consumer: await allocations.get(consumer),
      };
      const inUse = providers.delete(id);

      await expect(inUse).rejects.toMatchObject({ code: 'in-use' });
      expect(used).toMatchObject({
        usages: { usages: { VCPU: 3 } },
        allocations: { consumers: { [consumer]: { VCPU: 3 } } },
        consumer: { providers: { [id]: { VCPU: 3 } }, projectId: 'p1', generation: 1 },
      });
      expect(await allocations.candidates({ resources: { VCPU: 4 } })).toEqual({
        providers: expect.arrayContaining([
          expect.objectContaining({ providerId: id, resources: { VCPU: { capacity: 16, used: 3 } } }),
        ]),
        isCut: false,
      });
      expect(await allocations.candidates({ resources: { VCPU: 4 }, limit: 1 })).toMatchObject({ isCut: true });
      await allocations.delete(consumer);
      expect(await allocations.get(consumer)).toMatchObject({ providers: {}, generation: undefined });
      await providers.delete(id);
      await expect(providers.get(id)).rejects.toMatchObject({ code: 'not-found' });
    });
  });

  describe('the examples of the README', async () => {
    const examples = await readExamples(new URL('../README.md', import.meta.url));

    it.each(examples)('example $title runs against a real cloud', async (example) => {
      const printed = await runExample(example, cloud.environment());

      expect(printed).toMatch(/node|admin|\d/);
    });
  });

  it('finds the network and the image of a smoke test', async () => {
    expect(await client.networks.get(boot.networkId)).toMatchObject({ id: boot.networkId, isShared: false });
    expect(await client.images.get(boot.imageId)).toMatchObject({ name: 'cirros-kvm', status: 'active' });
    expect(await client.images.findByName('cirros')).toBeUndefined();
  });
});

async function clientOf(environment: Readonly<Record<string, string>>): Promise<OpenStackClient> {
  return new OpenStackClient({ config: await loadCloudConfig({ environment }), userAgent: 'test/1' });
}

/** A token that was got without the client. */
async function rawToken(config: CloudConfig): Promise<string> {
  const body = JSON.stringify(loginRequest(config));
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${config.authUrl}/auth/tokens`, { method: 'POST', headers, body });
  return answer.headers.get('x-subject-token') ?? '';
}

async function rawCredential(userId: string, token: string): Promise<{ credential: { id: string }; secret: Secret }> {
  const body = JSON.stringify({ application_credential: { name: 'robot', secret: 'robots-only' } });
  const headers = { 'content-type': 'application/json', 'x-auth-token': token };
  const url = `${cloud.authUrl}/users/${userId}/application_credentials`;
  const answer = (await (await fetch(url, { method: 'POST', headers, body })).json()) as Credential;
  return { credential: { id: answer.application_credential.id }, secret: new Secret('robots-only') };
}

interface Credential {
  readonly application_credential: { readonly id: string };
}

async function makeServer(name: string, host: string): Promise<string> {
  const { flavorId, imageId, networkId } = boot;
  const image = { kind: 'image', imageId } as const;
  const id = await client.compute.servers.create({ name, flavorId, boot: image, networkIds: [networkId], host });
  await serverWith(id, ({ status }) => status === 'ACTIVE');
  return id;
}

async function removeServer(id: string): Promise<void> {
  await client.compute.servers.delete(id);
  await untilDefined(() => client.compute.servers.get(id).then(() => undefined, orGone));
}

function orGone(error: unknown): true {
  if (isNotFound(error)) return true;
  throw error;
}

async function serverWith(id: string, isReady: (server: Server) => boolean): Promise<Server> {
  return await untilDefined(async () => {
    const server = await client.compute.servers.get(id);
    if (server.status === 'ERROR') throw new Error(`${server.name}: ${server.fault?.message}`);
    return isReady(server) && server.taskState === undefined ? server : undefined;
  });
}

async function ended(serverId: string, type: Migration['type'], statuses: readonly string[]): Promise<Migration> {
  return await untilDefined(async () => {
    const found = await client.compute.migrations.list({ serverId }).find((each) => each.type === type);
    if (found?.status === 'error' || found?.status === 'failed') throw new Error(`${type} of ${serverId} failed`);
    return found !== undefined && statuses.includes(found.status) ? found : undefined;
  });
}

/** Asks again until there is an answer. */
async function untilDefined<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = AbortSignal.timeout(patient.timeout);
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await delay(200, undefined, { signal: deadline });
  }
}
