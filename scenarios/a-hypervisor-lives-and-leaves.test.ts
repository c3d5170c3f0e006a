import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { installDefinitions, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { canRunOpenStack, startOpenStack, type OpenStackCloud } from '@smalt/bed-openstack';
import { readFleetDefinitions } from '@smalt/fleet-api';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { loadCloudConfig, OpenStackClient, type Migration } from '@smalt/openstack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { OperatorProcess } from './operator-process.ts';

const run = promisify(execFile);
const STEP_MS = 60_000;
/** How long each of five servers takes to move, unless it is made to arrive: longer than any machine takes to begin five. */
const MOVE_SECONDS = 600;

const OFFBOARDED = '{.status.conditions[?(@.type=="Offboarded")].message}';

interface PlainObject extends KubernetesObject {
  readonly spec?: unknown;
}

const nodeKind: KindReference<PlainObject> = plainKind('Node', 'nodes', false);
const podKind: KindReference<PlainObject> = plainKind('Pod', 'pods', true);

// One host lives through all of it in this order, in a real Nova, beside another whose name begins like its own. Nothing of it
// can be tried again.
describe.runIf(await canRunOpenStack())('a hypervisor', { timeout: 120_000, retry: 0 }, () => {
  const owned = new AsyncDisposableStack();
  let server: TestApiServer;
  let api: KubeClient;
  let cloud: OpenStackCloud;
  let nova: OpenStackClient;
  let operator: OperatorProcess;
  let neighbour: unknown;

  beforeAll(async () => {
    const signal = AbortSignal.timeout(170_000);
    cloud = owned.use(
      await startOpenStack({
        computes: ['node1', 'node10', 'spare-a', 'spare-b'],
        concurrentLiveMigrations: 5,
        signal,
      }),
    );
    nova = owned.use(
      new OpenStackClient({ config: await loadCloudConfig({ environment: cloud.environment() }), userAgent: 'test/1' }),
    );
    server = owned.use(await startTestApiServer({ isCluster: true, signal }));
    const kubeConfig = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
    api = owned.use(new KubeClient({ config: kubeConfig, userAgent: 'test/1' }));
    await installDefinitions(api, await readFleetDefinitions(), signal);
    await prepareNova();
    operator = owned.use(
      await OperatorProcess.start({ cloud: cloud.environment(), admin: api, server, config: CONFIG }),
    );
  }, 180_000);

  afterAll(() => owned.disposeAsync());

  it('is tested with an instance of its own when its node appears, and taken into use', async () => {
    // The test cannot end before it was seen.
    await cloud.compute('node1').setKnobs({ consoleIsSilent: true });
    await appear('node10', { zone: 'az2', lifecycle: 'skip-tests' });
    await appear('node1', { zone: 'az1', lifecycle: 'true' });

    await shows(/\/node1 +node1 +False +Onboarding .* Testing /);
    await expect.poll(() => namesOn('node1'), { timeout: STEP_MS }).toEqual([expect.stringMatching(/^ohooc--node1-/)]);
    await cloud.compute('node1').setKnobs({ consoleIsSilent: false });
    await shows(/\/node1 +node1 +True +Ready .* Active /);

    expect(await namesOn('node1')).toEqual([]);
    expect(await aggregatesOf('node1')).toEqual(['az1', 'gold']);
    expect(await traitsOf('node1')).toContain('CUSTOM_BLUE');
    await shows(/\/node10 +node10 +True +Ready .* Active /);
  });

  it('is emptied of five servers at a time, although the operator is killed in the middle of it', async () => {
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => createServer(name, 'az1:node1')));
    await createServer('neighbour', 'az2:node10');
    await expect.poll(running, { timeout: STEP_MS }).toBe(6);
    neighbour = await portrait('node10');
    await cloud.compute('node1').setKnobs({ liveMigrationSeconds: MOVE_SECONDS });

    await maintain('manual', 'new kernel');
    await shows(/\/node1 +node1 +False +Evicting .* Evicting /);
    await expect.poll(() => underWay(), { timeout: STEP_MS, interval: 200 }).toBe(5);
    await operator.kill();
    await operator.restart();
    await expect.poll(finishMoves, { timeout: STEP_MS, interval: 500 }).toBe(0);

    await shows(/\/node1 +node1 +False +Evicted .* Maintenance /);
    await shows(/^eviction\S*\/node1 +node1 +\S.* Succeeded /m);
    expect(await namesOn('node1')).toEqual([]);
    const moves = await movesFrom('node1');
    expect(moves.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'completed'));
    expect(lastBeginning(moves)).toBeLessThan(firstEnd(moves));
    expect(await serviceOf('node1')).toMatchObject({ status: 'disabled' });
  });

  it('is taken into use again', async () => {
    await maintain('', '');

    await shows(/\/node1 +node1 +True +Ready .* Active /);

    expect(await serviceOf('node1')).toMatchObject({ status: 'enabled', isForcedDown: false });
    await expect.poll(() => kubectl('get', 'evi', '-o', 'name'), { timeout: STEP_MS }).toBe('');
  });

  it('leaves nothing behind when it is terminated and its agents are gone', async () => {
    const spec = { nodeName: 'node1', containers: [{ name: 'nova-compute', image: 'nova' }] };
    const pods = api.resource(podKind);
    await pods.create({ metadata: { name: 'nova-compute', namespace: 'nova' }, spec }, { namespace: 'nova' });

    await maintain('termination', '');
    await expect
      .poll(() => kubectl('get', 'hv', 'node1', '-o', `jsonpath=${OFFBOARDED}`), { timeout: STEP_MS })
      .toBe('Waiting for agent pods to be evicted: 1 agent pod(s) still running on node: nova/nova-compute');
    expect(await serviceOf('node1')).toBeDefined();
    // What drives the pod out by its taint is not here; neither is the pod's program, which is the bed's.
    await cloud.compute('node1').stop();
    await pods.delete('nova-compute', { namespace: 'nova', gracePeriodSeconds: 0 });
    await shows(/\/node1 +node1 +False +Offboarded .* Decommissioned /);

    expect(await serviceOf('node1')).toBeUndefined();
    expect(await nova.placement.providers.list({ name: 'node1' })).toEqual([]);
    expect(await aggregatesOf('node1')).toEqual([]);
  });

  it('never touched the host whose name begins like its own', async () => {
    await shows(/\/node10 +node10 +True +Ready .* Active /);
    expect(await portrait('node10')).toEqual(neighbour);
  });

  /** What a person sees, once it is as expected. */
  async function shows(pattern: RegExp): Promise<void> {
    await expect
      .poll(() => kubectl('get', 'hv,evi', '-o', 'wide'), { timeout: STEP_MS, interval: 1_000 })
      .toMatch(pattern);
  }

  async function kubectl(...words: readonly string[]): Promise<string> {
    return (await run('kubectl', [`--kubeconfig=${server.kubeconfig}`, ...words])).stdout;
  }

  async function maintain(maintenance: string, maintenanceReason: string): Promise<void> {
    await kubectl(
      'patch',
      'hv',
      'node1',
      '--type=merge',
      `-p=${JSON.stringify({ spec: { maintenance, maintenanceReason } })}`,
    );
  }

  async function appear(
    name: string,
    { zone, lifecycle }: Readonly<Record<'zone' | 'lifecycle', string>>,
  ): Promise<void> {
    await api.resource(nodeKind).create({
      metadata: {
        name,
        labels: {
          'kubernetes.io/hostname': name,
          'nova.openstack.cloud.sap/virt-driver': 'kvm',
          'cobaltcore.cloud.sap/node-hypervisor-lifecycle': lifecycle,
          'topology.kubernetes.io/zone': zone,
        },
        annotations: {
          'nova.openstack.cloud.sap/aggregates': 'gold',
          'nova.openstack.cloud.sap/custom-traits': 'CUSTOM_BLUE',
        },
      },
    });
  }

  /** Zones and aggregates, as the administrator of a cloud makes them. */
  async function prepareNova(): Promise<void> {
    const { aggregates } = nova.compute;
    const zone = await aggregates.create({ name: 'az1', availabilityZone: 'az1' });
    for (const host of ['spare-a', 'spare-b']) await aggregates.addHost(zone.id, host);
    await aggregates.create({ name: 'az2', availabilityZone: 'az2' });
    for (const name of ['tenant_filter_tests', 'gold']) await aggregates.create({ name });
  }

  async function createServer(name: string, availabilityZone: string): Promise<void> {
    const image = await nova.images.findByName('cirros-kvm');
    if (image === undefined) throw new Error('the bed has no image');
    const boot = { kind: 'image', imageId: image.id } as const;
    await nova.compute.servers.create({ name, flavorId: '1', boot, networkIds: [], availabilityZone });
  }

  async function running(): Promise<number> {
    const servers = await nova.compute.servers.list({ isAllProjects: true }).all();
    return servers.filter(({ status }) => status === 'ACTIVE').length;
  }

  async function namesOn(host: string): Promise<readonly (string | undefined)[]> {
    return (await nova.compute.servers.list({ host }).all()).map(({ name }) => name);
  }

  async function movesFrom(sourceHost: string): Promise<readonly Migration[]> {
    return await nova.compute.migrations.list({ sourceHost }).all();
  }

  async function underWay(): Promise<number> {
    return (await movesFrom('node1')).filter(({ status }) => status === 'running').length;
  }

  /** Makes those arrive that are under way, and tells how many are left. A move that has only just begun does not listen yet. */
  async function finishMoves(): Promise<number> {
    const moves = (await movesFrom('node1')).filter(({ status }) => status === 'running');
    await Promise.allSettled(moves.map(({ id, serverId }) => nova.compute.migrations.forceComplete(serverId, id)));
    return await underWay();
  }

  async function serviceOf(host: string) {
    return await nova.compute.services.findCompute(host);
  }

  async function aggregatesOf(host: string): Promise<readonly string[]> {
    const all = await nova.compute.aggregates.list();
    return all.flatMap(({ name, hosts }) => (hosts.includes(host) ? [name] : [])).toSorted();
  }

  async function traitsOf(host: string): Promise<readonly string[]> {
    const [provider] = await nova.placement.providers.list({ name: host });
    return provider === undefined ? [] : (await nova.placement.providers.traits(provider.id)).traits.toSorted();
  }

  /** Everything that the cloud knows of a host and that a mistake could change. */
  async function portrait(host: string): Promise<unknown> {
    const { updatedAt: _, ...service } = Object(await serviceOf(host));
    const [provider] = await nova.placement.providers.list({ name: host });
    const servers = await nova.compute.servers.list({ host }).all();
    return {
      service,
      providerId: provider?.id,
      traits: await traitsOf(host),
      aggregates: await aggregatesOf(host),
      servers: servers.map(({ id, name, status }) => ({ id, name, status })),
    };
  }
});

const CONFIG = {
  agentNamespaces: ['nova'],
  hypervisor: { newHypervisor: { highAvailability: false }, agentPodsPollMs: 500 },
  onboarding: { pollMs: 2_000, startingPollMs: 300 },
  eviction: { pollMs: 500, firstLookMs: 300 },
  offboarding: { retryMs: 500 },
  openstack: { smokeTest: { project: 'test', projectDomain: 'Default', volume: { isUsed: false } } },
};

function plainKind(kind: string, plural: string, isNamespaced: boolean): KindReference<PlainObject> {
  return { group: '', version: 'v1', kind, plural, isNamespaced };
}

function lastBeginning(moves: readonly Migration[]): number {
  return Math.max(...moves.map(({ createdAt = '' }) => Date.parse(createdAt)));
}

function firstEnd(moves: readonly Migration[]): number {
  return Math.min(...moves.map(({ updatedAt = '' }) => Date.parse(updatedAt)));
}
