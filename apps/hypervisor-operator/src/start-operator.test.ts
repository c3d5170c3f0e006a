import { installDefinitions, startTestApiServer } from '@smalt/bed-kubernetes';
import { done, source, type ControllerOptions } from '@smalt/controller-runtime';
import { readFleetDefinitions } from '@smalt/fleet-api';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { loadCloudConfig, Secret } from '@smalt/openstack';
import { defaultOpenStackComputeSettings } from '@smalt/openstack-compute';
import { readOvsDefinitions } from '@smalt/ovs-api';
import { createLogger, HealthRegistry, type HealthReport } from '@smalt/service-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from './fixtures/operator-bed.ts';
import { openStackOpener } from './hosts/openstack-opener.ts';
import type { OperatorContext } from './operator-context.ts';
import { isKindsChanged } from './operator-error.ts';
import type { OpenCompute, OperatorOptions } from './operator-options.ts';
import { startOperator } from './start-operator.ts';

const { signal } = new AbortController();
const compute = { compute: defaultOpenStackComputeSettings };
const fastLease = { namespace: 'default', leaseMs: 1_500, renewDeadlineMs: 1_000, retryMs: 100 };

describe('an operator', { timeout: 60_000 }, () => {
  let bed: OperatorBed;

  beforeAll(async () => {
    bed = await startOperatorBed();
  });

  afterAll(() => bed[Symbol.asyncDispose]());

  it('is ready once its caches are filled and Keystone knows it', async () => {
    const health = new HealthRegistry();
    await using _operator = await bed.startOperator({ health });

    await expect.poll(() => ready(health)).toMatchObject({ isHealthy: true });
    const names = (await ready(health)).results.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['compute', 'informers-synced']));
  });

  it('counts what it asks both sides for', () => {
    expect(bed.metricSum('rest_client_requests_total')).toBeGreaterThan(3);
    expect(
      bed.metric('smalt_openstack_requests_total{service="identity",method="POST",path="/auth/tokens",status="201"}'),
    ).toBe(1);
    expect(bed.metricSum('smalt_openstack_request_duration_seconds_count')).toBeGreaterThan(0);
  });

  it('does not start with a password that Keystone refuses, and does not tell it', async () => {
    const start = bed.startOperator({ openCompute: await cloudOf({ OS_PASSWORD: 'hunter2' }) });
    const failure: unknown = await start.catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: 'login-refused', message: expect.stringContaining('check OS_USERNAME') });
    expect(String(failure)).not.toContain('hunter2');
  });

  it('does not start with a credential that cannot reach the project of the tests', async () => {
    const { authUrl } = bed.cloud;
    const credential = { OS_AUTH_TYPE: 'v3applicationcredential', OS_APPLICATION_CREDENTIAL_ID: 'a' };
    const environment = { OS_AUTH_URL: authUrl, ...credential, OS_APPLICATION_CREDENTIAL_SECRET: 'hunter2' };
    const openCompute = openStackOpener(await loadCloudConfig({ environment }), compute);

    await expect(bed.startOperator({ openCompute })).rejects.toMatchObject({
      code: 'bad-setting',
      message: expect.stringMatching(/^openstack\.smokeTest\.project: an application credential cannot be used in /),
    });
  });

  it('waits for a cloud that is away, and is not ready meanwhile', async () => {
    const health = new HealthRegistry();
    using outage = bed.cloud.inject({ service: 'identity', effect: { kind: 'answer', status: 503 } });
    await using _operator = await bed.startOperator({ health });

    expect(await ready(health)).toMatchObject({ isHealthy: false });
    outage[Symbol.dispose]();

    await expect.poll(() => ready(health)).toMatchObject({ isHealthy: true });
  });

  it('refuses a selector that makes no sense', async () => {
    const start = bed.startOperator({ labelSelector: 'a in (' });

    await expect(start).rejects.toMatchObject({
      code: 'bad-setting',
      message: expect.stringMatching(/^labelSelector: /),
    });
  });

  it('sees the nodes of its shard alone', async () => {
    await bed.node('shard-a', { labels: { shard: 'a' } });
    await bed.node('shard-b', { labels: { shard: 'b' } });
    const seen: string[] = [];

    await using operator = await bed.startOperator({ labelSelector: 'shard=a', controllers: watchNodes(seen) });
    await operator.context.informers.whenSynced(AbortSignal.timeout(10_000));
    await expect.poll(() => seen).toContain('shard-a');

    expect(operator.context.nodes.cache.list().map(({ metadata }) => metadata.name)).toEqual(['shard-a']);
    expect(seen).toEqual(['shard-a']);
  });

  it('leads alone, and is followed at once by the next when it stops', async () => {
    const [first, second]: [string[], string[]] = [[], []];
    await using leader = await bed.startOperator(candidate('one', first));
    await bed.node('led-1');
    await expect.poll(() => first, { timeout: 10_000 }).toContain('led-1');
    await using _follower = await bed.startOperator(candidate('two', second));

    await bed.node('led-2');
    await expect.poll(() => first).toContain('led-2');
    expect(second).toEqual([]);
    await leader[Symbol.asyncDispose]();

    await expect.poll(() => second, { timeout: 10_000 }).toEqual(expect.arrayContaining(['led-1', 'led-2']));
    expect(await bed.kubectl('get', 'lease', '-n', 'default', '-o', 'name')).toContain('4c28796a.cloud.sap');
  });

  it('takes over from one that was killed, once its lease has run out', async () => {
    const [first, second]: [string[], string[]] = [[], []];
    const shard = { labelSelector: 'third=c' };
    await bed.node('third-c', { labels: { third: 'c' } });
    await bed.restartOperator({ ...candidate('killed', first), ...shard });
    await expect.poll(() => first, { timeout: 10_000 }).toEqual(['third-c']);
    await using _next = await bed.startOperator({ ...candidate('next', second), ...shard });

    const killedAt = performance.now();
    await bed.stopOperator();
    await expect.poll(() => second, { timeout: 10_000 }).toEqual(['third-c']);

    expect(performance.now() - killedAt).toBeGreaterThan(fastLease.leaseMs / 2);
  });

  it('leaves other shards to other leaders', async () => {
    const [first, second]: [string[], string[]] = [[], []];
    await bed.node('two-a', { labels: { half: 'a' } });
    await bed.node('two-b', { labels: { half: 'b' } });

    await using _a = await bed.startOperator({ ...candidate('a', first), labelSelector: 'half=a' });
    await using _b = await bed.startOperator({ ...candidate('b', second), labelSelector: 'half=b' });

    await expect.poll(() => [first, second], { timeout: 10_000 }).toEqual([['two-a'], ['two-b']]);
  });

  async function cloudOf(changes: Readonly<Record<string, string>>): Promise<OpenCompute> {
    const environment = { ...bed.cloud.environment(), ...changes };
    return openStackOpener(await loadCloudConfig({ environment }), compute);
  }
});

describe('a cluster', { timeout: 60_000 }, () => {
  it('without our kinds is refused with what to do; one that gets OVSNodes later is followed', async () => {
    await using server = await startTestApiServer();
    const kubeConfig = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
    await using client = new KubeClient({ config: kubeConfig, userAgent: 'test/1' });
    const options = { ...quietOptions(), kubeConfig, discoveryMs: 50 };
    const nowhere = { ...options, kubeConfig: { ...kubeConfig, server: 'https://127.0.0.1:1' } };

    await expect(startOperator(nowhere, signal)).rejects.toMatchObject({
      code: 'api-unavailable',
      message: expect.stringMatching(/^https:\/\/127\.0\.0\.1:1 does not tell .*ECONNREFUSED.*: check the kubeconfig/),
    });
    await expect(startOperator(options, signal)).rejects.toMatchObject({
      code: 'missing-definitions',
      message: `${kubeConfig.server} does not serve hypervisors.kvm.cloud.sap and evictions.kvm.cloud.sap: install them with kubectl apply -f deploy/helm/smalt/files/crds`,
    });
    await installDefinitions(client, await readFleetDefinitions(), AbortSignal.timeout(20_000));
    await using operator = await startOperator(options, signal);
    expect(operator.context.ovsNodes).toBeUndefined();
    await installDefinitions(client, await readOvsDefinitions(), AbortSignal.timeout(20_000));

    expect(await operator.ended.catch((error: unknown) => error)).toSatisfy(isKindsChanged);
    await using next = await startOperator(options, signal);
    expect(next.context.ovsNodes).toBeDefined();
  });
});

describe('a cluster with definitions of another operator', { timeout: 60_000 }, () => {
  it('is refused with what they lack and what to do', async () => {
    await using server = await startTestApiServer();
    const kubeConfig = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
    await using client = new KubeClient({ config: kubeConfig, userAgent: 'test/1' });
    const texts = (await readFleetDefinitions()).map((definition) => JSON.stringify(definition));
    const older = texts.map((text) => text.replace('"lifecycleState":', '"phase":').replace('"progress":', '"state":'));
    await installDefinitions(client, older.map(parse), AbortSignal.timeout(20_000));

    const start = startOperator({ ...quietOptions(), kubeConfig }, signal);

    await expect(start).rejects.toMatchObject({
      code: 'missing-definitions',
      message: `${kubeConfig.server} has older definitions of our kinds, without status.lifecycleState of hypervisors.kvm.cloud.sap, status.progress of evictions.kvm.cloud.sap: update them with kubectl apply -f deploy/helm/smalt/files/crds`,
    });
  });
});

function candidate(identity: string, seen: string[]): Partial<OperatorOptions> {
  return { leaderElection: { ...fastLease, identity }, controllers: watchNodes(seen) };
}

/** A controller that remembers the nodes it was asked to look at. */
function watchNodes(seen: string[]): (context: OperatorContext) => readonly ControllerOptions[] {
  return ({ nodes }) => [
    {
      name: 'watch',
      sources: [source(nodes)],
      reconcile: async (key) => {
        if (!seen.includes(key)) seen.push(key);
        return await Promise.resolve(done);
      },
    },
  ];
}

/** With a cloud that nobody ever reaches. */
function quietOptions(): Omit<OperatorOptions, 'kubeConfig'> {
  const config = {
    authUrl: 'http://127.0.0.1:1/v3',
    identity: { kind: 'token', token: new Secret('none') },
    scope: { kind: 'project', project: { id: 'none' } },
    interface: 'public',
    tls: { isInsecure: false },
  } as const;
  return {
    openCompute: openStackOpener(config, compute),
    controllers: () => [],
    logger: createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } }),
  };
}

async function ready(health: HealthRegistry): Promise<HealthReport> {
  return await health.run('readyz', { signal: AbortSignal.timeout(5_000) });
}

function parse(text: string): Readonly<Record<string, unknown>> {
  return Object(JSON.parse(text));
}
