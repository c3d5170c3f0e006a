import {
  ChartAccounts,
  installDefinitions,
  openCutConnection,
  startTestApiServer,
  type CutConnection,
  type TestApiServer,
} from '@smalt/bed-kubernetes';
import { leaseKind } from '@smalt/controller-runtime';
import { hypervisorKind, readFleetDefinitions, type HypervisorSpec } from '@smalt/fleet-api';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { createLogger } from '@smalt/service-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemServiceClock } from '../start/system-service-clock.ts';
import { openCluster, type Cluster } from './open-cluster.ts';

const TIMEOUT_MS = 60_000;
const HA_ENABLED = { type: 'HaEnabled', status: 'True', reason: 'Succeeded', message: 'it is' } as const;
const DISABLED = { type: 'HypervisorDisabled', status: 'True', reason: 'Succeeded', message: 'by us' } as const;
const DECLARED = { ...DISABLED, message: 'high availability: it is disabled and declared dead by incident 1' } as const;

let server: TestApiServer;
let client: KubeClient;
/** The way of the service to the server, which others have beside it. */
let way: CutConnection;
let own: KubeClient;
let cluster: Cluster;

beforeAll(async () => {
  const until = AbortSignal.timeout(TIMEOUT_MS);
  server = await startTestApiServer({ signal: until });
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = new KubeClient({ config, userAgent: 'cluster-test/1' });
  await installDefinitions(client, await readFleetDefinitions(), until);
  const logger = createLogger({ name: 'test', destination: { write: () => undefined } });
  way = await openCutConnection(server.url);
  const accounts = new ChartAccounts({ admin: client, kubeconfig: server.kubeconfig });
  await accounts.install({ files: ['ha-service'] }, until);
  const account = await accounts.config({ name: 'smalt-ha-service' });
  own = new KubeClient({ config: { ...account, server: way.url }, userAgent: 'cluster/1' });
  cluster = await openCluster({ client: own, clock: systemServiceClock(), logger, ignore: () => undefined }, until);
}, TIMEOUT_MS);

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await own[Symbol.asyncDispose]();
  await way[Symbol.asyncDispose]();
  await client[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

describe('what the cluster tells', () => {
  it('reads a host from its object', async () => {
    await hypervisor('read', {
      labels: { 'topology.kubernetes.io/zone': 'a', 'kubernetes.metal.cloud.sap/bb': 'bb1' },
    });
    await onboard('read');

    await expect.poll(() => cluster.host('read')?.identity).toEqual({ hypervisorId: 'h', serviceId: 's' });

    expect(cluster.host('read')).toMatchObject({
      maintenance: '',
      isHighlyAvailable: true,
      isLifecycleEnabled: true,
      isOnboarded: true,
      failureDomain: 'bb1',
      zone: 'a',
      onboardingReason: 'Succeeded',
      evicting: undefined,
      haEnabled: undefined,
    });
  });

  it('forgets a host whose object is deleted', async () => {
    await hypervisor('gone');
    await expect.poll(() => names()).toContain('gone');

    await client.resource(hypervisorKind).delete('gone');

    await expect.poll(() => names()).not.toContain('gone');
  });

  it('takes for life only a renewal of a lease that it has seen', async () => {
    await hypervisor('leased');
    await expect.poll(() => cluster.view().reachableSince).toBeDefined();
    await renew('leased', '2026-01-01T00:00:00.000000Z');
    await expect.poll(() => cluster.host('leased')?.leaseAliveAt).toBeDefined();
    const before = cluster.host('leased')?.leaseAliveAt;

    await renew('leased', '2026-01-01T00:00:10.000000Z');

    await expect.poll(() => cluster.host('leased')?.leaseAliveAt).toBeGreaterThan(0);
    expect(before).toBe(0);
  });
});

describe('spec.maintenance', () => {
  it('is set and given back without a trace', async () => {
    await hypervisor('marked');

    await cluster.setMaintenance('marked', 'ha', signal());
    const marked = await maintenanceOf('marked');
    await cluster.setMaintenance('marked', 'ha', signal());
    await cluster.setMaintenance('marked', '', signal());

    expect([marked, await maintenanceOf('marked')]).toEqual(['ha', undefined]);
  });

  it('stays as a person has set it', async () => {
    await hypervisor('manual', { spec: { maintenance: 'manual', maintenanceReason: 'new disks' } });

    const conflict = { code: 'conflict', message: 'spec.maintenance of manual is manual, which stays' };
    await expect(cluster.setMaintenance('manual', 'ha', signal())).rejects.toMatchObject(conflict);
    await expect(cluster.setMaintenance('manual', '', signal())).rejects.toMatchObject(conflict);
    expect(await maintenanceOf('manual')).toBe('manual');
  });

  it('may go from termination to ha, because the host is lost anyway', async () => {
    await hypervisor('leaving', { spec: { maintenance: 'termination' } });

    await cluster.setMaintenance('leaving', 'ha', signal());

    expect(await maintenanceOf('leaving')).toBe('ha');
  });

  it('is not taken back where somebody else has set it to ha', async () => {
    await hypervisor('foreign', { spec: { maintenance: 'ha' } });

    await expect(cluster.setMaintenance('foreign', '', signal())).rejects.toMatchObject({ code: 'conflict' });
    expect(await maintenanceOf('foreign')).toBe('ha');
  });

  it('cannot be set on a host that has no object, and need not be taken back there', async () => {
    await expect(cluster.setMaintenance('nobody', 'ha', signal())).rejects.toMatchObject({ code: 'not-found' });
    await expect(cluster.setMaintenance('nobody', '', signal())).resolves.toBeUndefined();
  });
});

describe('a host that is claimed for an order to power it off', () => {
  it('is marked, as often as it is asked for', async () => {
    await hypervisor('claimed');
    await onboard('claimed');

    await cluster.claim('claimed', signal());
    await cluster.claim('claimed', signal());

    expect(await maintenanceOf('claimed')).toBe('ha');
  });

  it.each<{ name: string; spec: Partial<HypervisorSpec>; isOnboarded: boolean; message: string }>([
    {
      name: 'by-hand',
      spec: { maintenance: 'manual', maintenanceReason: 'new disks' },
      isOnboarded: true,
      message: 'is manual, which stays',
    },
    { name: 'unwatched', spec: { highAvailability: false }, isOnboarded: true, message: 'has highAvailability: false' },
    {
      name: 'unwatched-since',
      spec: { highAvailability: false, maintenance: 'ha' },
      isOnboarded: true,
      message: 'has highAvailability: false',
    },
    { name: 'new', spec: {}, isOnboarded: false, message: 'is not onboarded' },
  ])('is refused by its object as it is now: $name $message', async ({ name, spec, isOnboarded, message }) => {
    await hypervisor(name, { spec });
    if (isOnboarded) await onboard(name);

    const conflict = { code: 'conflict', message: expect.stringContaining(message) };
    await expect(cluster.claim(name, signal())).rejects.toMatchObject(conflict);
    expect(await maintenanceOf(name)).toBe(spec.maintenance);
  });
});

describe('conditions', () => {
  it('are stated, and go when they are left out, and those of others stay', async () => {
    await hypervisor('stated');
    const ready = { ...HA_ENABLED, type: 'Ready', lastTransitionTime: '2026-01-01T00:00:00Z' };
    await client.resource(hypervisorKind).applyStatus('stated', { conditions: [ready] }, { fieldManager: 'test' });
    await expect.poll(() => names()).toContain('stated');

    await cluster.state('stated', [HA_ENABLED, DISABLED], signal());
    await expect.poll(() => cluster.host('stated')?.hypervisorDisabled).toEqual(DISABLED);
    await cluster.state('stated', [HA_ENABLED], signal());

    await expect.poll(() => cluster.host('stated')?.hypervisorDisabled).toBeUndefined();
    const { status } = await client.resource(hypervisorKind).get('stated');
    expect(status?.conditions?.map(({ type }) => type).toSorted()).toEqual(['HaEnabled', 'Ready']);
    expect(status?.conditions?.find(({ type }) => type === 'HaEnabled')?.observedGeneration).toBe(1);
  });

  it('go whole even where the operator has stated a part of the same', async () => {
    await hypervisor('shared');
    const theirs = { ...DISABLED, status: 'False', message: 'enabled', lastTransitionTime: '2026-01-01T00:00:00Z' };
    await client.resource(hypervisorKind).applyStatus('shared', { conditions: [theirs] }, { fieldManager: 'operator' });
    await expect.poll(() => cluster.host('shared')?.hypervisorDisabled?.status).toBe('False');
    await cluster.state('shared', [HA_ENABLED, DISABLED], signal());
    await expect.poll(() => cluster.host('shared')?.hypervisorDisabled).toEqual(DISABLED);

    await cluster.state('shared', [HA_ENABLED], signal());

    await expect.poll(() => cluster.host('shared')?.hypervisorDisabled).toBeUndefined();
  });
});

describe('a host that was declared dead', () => {
  it.each<{ name: string; others: string; tell: (conditions: unknown) => Promise<unknown> }>([
    {
      name: 'co-owned',
      others: 'says the same under a name of their own',
      tell: (conditions) =>
        client.resource(hypervisorKind).applyStatus('co-owned', { conditions }, { fieldManager: 'agent' }),
    },
    {
      name: 'disowned',
      others: 'strikes out who said it',
      tell: () => client.resource(hypervisorKind).patch('disowned', 'merge', { metadata: { managedFields: [{}] } }),
    },
  ])('is one no more once that is left out, though somebody else $others', async ({ name, tell }) => {
    await hypervisor(name);
    await expect.poll(() => names()).toContain(name);
    await cluster.state(name, [HA_ENABLED, DECLARED], signal());
    const { status } = await client.resource(hypervisorKind).get(name);
    await tell(status?.conditions?.filter(({ type }) => type === 'HypervisorDisabled'));
    await expect.poll(() => cluster.host(name)?.hypervisorDisabled).toEqual(DECLARED);

    await cluster.state(name, [HA_ENABLED], signal());

    const after = await client.resource(hypervisorKind).get(name);
    expect(after.status?.conditions?.map(({ type }) => type)).toEqual(['HaEnabled']);
  });

  it('is told from one that the operator has disabled, which it stays', async () => {
    await hypervisor('drained');
    const drained = { ...DISABLED, message: 'Hypervisor is disabled', lastTransitionTime: '2026-01-01T00:00:00Z' };
    await client
      .resource(hypervisorKind)
      .applyStatus('drained', { conditions: [drained] }, { fieldManager: 'operator' });
    await expect.poll(() => cluster.host('drained')?.hypervisorDisabled?.message).toBe('Hypervisor is disabled');

    await cluster.state('drained', [HA_ENABLED], signal());

    const { status } = await client.resource(hypervisorKind).get('drained');
    expect(status?.conditions?.map(({ type }) => type).toSorted()).toEqual(['HaEnabled', 'HypervisorDisabled']);
  });
});

describe('an API server that is away', () => {
  it('is out of reach at once, counts anew when it is back, and what happened meanwhile is no sign of life', async () => {
    await hypervisor('during');
    await renew('during', '2026-01-01T00:00:00.000000Z');
    await hypervisor('removed');
    await expect.poll(() => cluster.view().reachableSince).toBeDefined();
    await renew('removed', '2026-01-01T00:00:00.000000Z');
    await expect.poll(() => cluster.host('removed')?.leaseAliveAt).toBeDefined();
    const before = cluster.view().reachableSince ?? 0;

    await server.kill();
    await expect.poll(() => cluster.view().reachableSince, { timeout: 15_000 }).toBeUndefined();
    const hosts = names();
    await expect(cluster.setMaintenance('during', 'ha', AbortSignal.timeout(2_000))).rejects.toMatchObject({
      name: 'KubeError',
    });
    // Others may be there again before the service is.
    way.cut();
    await server.restart(signal());
    await renew('during', '2026-01-01T00:01:00.000000Z');
    await client.resource(leaseKind).delete('removed', { namespace: 'kube-node-lease' });
    way.mend();

    await expect.poll(() => cluster.view().reachableSince, { timeout: 45_000 }).toBeGreaterThan(before);
    expect(hosts).toContain('during');
    expect(cluster.host('during')?.leaseAliveAt ?? 0).toBe(0);
    expect(cluster.host('removed')?.leaseAliveAt).toBeUndefined();
    await renew('during', '2026-01-01T00:02:00.000000Z');
    await expect.poll(() => cluster.host('during')?.leaseAliveAt).toBeGreaterThan(0);
  }, 90_000);
});

function signal(): AbortSignal {
  return AbortSignal.timeout(30_000);
}

function names(): readonly string[] {
  return cluster.view().hosts.map(({ name }) => name);
}

async function hypervisor(
  name: string,
  shape: { labels?: Readonly<Record<string, string>>; spec?: Partial<HypervisorSpec> } = {},
): Promise<void> {
  const fields = { metadata: { labels: shape.labels ?? {} }, spec: shape.spec ?? {} };
  await client.resource(hypervisorKind).apply(name, fields, { fieldManager: 'test' });
}

async function onboard(name: string): Promise<void> {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const conditions = [{ type: 'Onboarding', status: 'False', reason: 'Succeeded', message: '', lastTransitionTime }];
  await client
    .resource(hypervisorKind)
    .applyStatus(name, { hypervisorId: 'h', serviceId: 's', conditions }, { fieldManager: 'test' });
}

async function renew(name: string, renewTime: string): Promise<void> {
  const fields = { spec: { holderIdentity: name, renewTime } };
  await client
    .resource(leaseKind)
    .apply(name, fields, { namespace: 'kube-node-lease', fieldManager: 'kubelet', force: true });
}

async function maintenanceOf(name: string): Promise<string | undefined> {
  return (await client.resource(hypervisorKind).get(name)).spec?.maintenance;
}
