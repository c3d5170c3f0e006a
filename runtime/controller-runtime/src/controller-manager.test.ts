import { once } from 'node:events';

import { startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { KubeClient, type KubeConfig } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { createLogger, HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ControllerManager, type ControllerManagerOptions } from './controller-manager.ts';
import { source } from './controller.ts';
import { countClientRequests } from './count-client-requests.ts';
import { EventRecorder } from './event-recorder.ts';
import { eventKind } from './event.ts';
import { leaseKind } from './lease.ts';
import { done } from './outcome.ts';
import { StatusWriter } from './status-writer.ts';

interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

interface Pod extends KubernetesObject {
  readonly spec: object;
  readonly status?: { readonly conditions?: readonly object[]; readonly message?: string };
}

const configMapKind: KindReference<ConfigMap> = coreKind('ConfigMap', 'configmaps');
const podKind: KindReference<Pod> = coreKind('Pod', 'pods');
const quickLease = { leaseMs: 3_000, renewDeadlineMs: 2_000, retryMs: 200 };

describe('ControllerManager with a real server', () => {
  let server: TestApiServer;

  beforeAll(async () => {
    server = await startTestApiServer();
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  it('reconciles what is there and what comes, also after the server was killed', async () => {
    await using world = startWorld(server);
    const maps = world.client.resource(configMapKind);
    await maps.create({ metadata: { name: 'before', namespace: 'default' } });
    const seen = new Seen();
    world.manager.add({
      name: 'maps',
      sources: [source(world.manager.informers.for(configMapKind, { select: { namespace: 'default' } }))],
      reconcile: async (key) => {
        seen.add(key);
        return done;
      },
    });
    world.run();
    await seen.until('default/before');

    await maps.create({ metadata: { name: 'live', namespace: 'default' } });
    await seen.until('default/live');
    await server.kill();
    await server.restart(AbortSignal.timeout(30_000));
    await maps.create({ metadata: { name: 'after', namespace: 'default' } });
    await seen.until('default/after');

    await world.stop();
    expect(seen.count('default/before')).toBe(1);
  });

  it('writes a status and an event under its own name', async () => {
    await using world = startWorld(server);
    const pods = world.client.resource(podKind);
    const informer = world.manager.informers.for(podKind);
    const writer = new StatusWriter(pods, informer, 'pods-controller');
    const events = world.client.resource(eventKind);
    const recorder = new EventRecorder(events, { component: 'pods-controller', onFailure: world.fail });
    const seen = new Seen();
    world.manager.add({
      name: 'pods',
      sources: [source(informer)],
      reconcile: async (key, signal) => {
        const pod = informer.cache.get(key);
        if (pod === undefined) return done;
        const wasSent = await writer.apply(key, { message: `hello ${pod.metadata.name}` }, signal);
        await recorder.record(pod, 'Normal', 'Greeted', 'it was greeted');
        seen.add(wasSent ? 'sent' : 'quiet');
        return done;
      },
    });
    world.run();

    await pods.create({
      metadata: { name: 'p', namespace: 'default' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    await seen.until('quiet');

    const pod = await pods.get('p', { namespace: 'default' });
    const { items } = await events.list({ namespace: 'default' });
    await world.stop();
    expect(pod.status?.message).toBe('hello p');
    expect(pod.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: 'pods-controller', operation: 'Apply', subresource: 'status' }),
    );
    expect(items).toEqual([expect.objectContaining({ reason: 'Greeted', count: 1 })]);
    expect(seen.count('sent')).toBe(1);
    expect(world.failures).toEqual([]);
  });

  it('lets one process of two lead, and the other after it', async () => {
    const election = { name: 'hand-over', namespace: 'default', ...quickLease };
    await using first = startWorld(server, { leaderElection: { ...election, identity: 'first' } });
    await using second = startWorld(server, { leaderElection: { ...election, identity: 'second' } });
    const seen = new Seen();
    for (const [name, world] of Object.entries({ first, second })) {
      world.manager.add({
        name: 'maps',
        sources: [source(world.manager.informers.for(configMapKind))],
        reconcile: async () => {
          seen.add(name);
          return done;
        },
      });
    }
    first.run();
    await seen.until('first');

    second.run();
    await first.stop();
    await seen.until('second');

    const { spec } = await second.client.resource(leaseKind).get('hand-over');
    expect(spec).toMatchObject({ holderIdentity: 'second', leaseTransitions: 1 });
    expect(second.metrics.expose()).toContain('leader_election_master_status{name="hand-over"} 1');
    await second.stop();
  });

  it('rejects when somebody else takes the lease, and has stopped by then', async () => {
    const leaderElection = { name: 'stolen', namespace: 'default', identity: 'me', ...quickLease };
    await using world = startWorld(server, { leaderElection });
    const leases = world.client.resource(leaseKind);
    const seen = new Seen();
    world.manager.add({
      name: 'maps',
      sources: [source(world.manager.informers.for(configMapKind))],
      reconcile: async (_key, signal) => {
        seen.add('begun');
        if (!signal.aborted) await once(signal, 'abort');
        seen.add('stopped');
        return done;
      },
    });
    world.run();
    await seen.until('begun');

    await leases.patch('stolen', 'merge', { spec: { holderIdentity: 'thief' } }, { namespace: 'default' });

    await expect(world.ended()).rejects.toThrow('lost the lease default/stolen');
    expect(seen.count('stopped')).toBe(1);
  });

  it('says which controllers did not stop in time', async () => {
    await using world = startWorld(server, { stopTimeoutMs: 50 });
    const seen = new Seen();
    const never = Promise.withResolvers<never>();
    const informer = world.manager.informers.for(configMapKind);
    for (const name of ['stuck', 'quick']) {
      world.manager.add({
        name,
        sources: [source(informer)],
        reconcile: async () => {
          seen.add(name);
          return name === 'stuck' ? await never.promise : done;
        },
      });
    }
    world.run();
    await seen.until('stuck');

    world.stopping.abort();

    await expect(world.ended()).rejects.toThrow('reconciles did not stop in time: stuck');
  });

  it('is ready once its caches are', async () => {
    await using world = startWorld(server);
    const informer = world.manager.informers.for(configMapKind);
    const isReady = async () => (await world.health.run('readyz', { signal: AbortSignal.timeout(1_000) })).isHealthy;
    world.run();

    const before = await isReady();
    await informer.whenSynced(AbortSignal.timeout(10_000));
    const after = await isReady();

    await world.stop();
    expect([before, after]).toEqual([false, true]);
    expect(world.metrics.expose()).toMatch(
      /rest_client_requests_total\{code="200",method="GET",host="127.0.0.1:\d+"\} \d/,
    );
  });
});

/** What was seen, and who waits for it. */
class Seen {
  readonly #all: string[] = [];
  #wake = Promise.withResolvers<void>();

  add(what: string): void {
    this.#all.push(what);
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  count(what: string): number {
    return this.#all.filter((each) => each === what).length;
  }

  async until(what: string): Promise<void> {
    while (!this.#all.includes(what)) await this.#wake.promise;
  }
}

function startWorld(server: TestApiServer, options: Partial<ControllerManagerOptions> = {}) {
  const config: KubeConfig = {
    server: server.url,
    tls: { authority: { kind: 'text', text: server.authority.toString() }, isInsecure: false },
    identity: { kind: 'token', token: { kind: 'text', text: server.token } },
    namespace: 'default',
  };
  const [metrics, health, stopping] = [new MetricsRegistry(), new HealthRegistry(), new AbortController()];
  const client = new KubeClient({ config, userAgent: 'test/1', onExchange: countClientRequests(metrics) });
  const logger = createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } });
  const manager = new ControllerManager({ client, logger, metrics, health, ...options });
  const failures: unknown[] = [];
  let running: Promise<void> = Promise.resolve();
  return {
    client,
    manager,
    metrics,
    health,
    stopping,
    failures,
    fail: (error: unknown): void => void failures.push(error),
    run: (): void => {
      running = manager.run(stopping.signal);
      running.catch(() => undefined);
    },
    ended: () => running,
    stop: async () => {
      stopping.abort();
      await running;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running.catch(() => undefined);
      await client[Symbol.asyncDispose]();
    },
  };
}

function coreKind(kind: string, plural: string): KindReference<never> {
  return { group: '', version: 'v1', kind, plural, isNamespaced: true };
}
