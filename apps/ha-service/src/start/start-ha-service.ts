import { randomUUID } from 'node:crypto';

import { countClientRequests } from '@smalt/controller-runtime';
import { KubeClient } from '@smalt/kube';
import { createIgnore, HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';

import { Authenticator } from '../api/authenticator.ts';
import type { ApiContext } from '../api/api-context.ts';
import { createApi } from '../api/create-api.ts';
import { KubernetesCallers } from '../api/kubernetes-callers.ts';
import { openCluster } from '../cluster/open-cluster.ts';
import { HaServiceError } from '../ha-service-error.ts';
import { EngineMetrics } from '../metrics/engine-metrics.ts';
import { HaMetrics } from '../metrics/ha-metrics.ts';
import { scrapeStore } from '../metrics/scrape-store.ts';
import { createPower } from '../power/create-power.ts';
import { KubernetesNodes } from '../sources/push/kubernetes-nodes.ts';
import type { PushResult } from '../sources/push/push-result.ts';
import type { PushSettings } from '../sources/push/push-settings.ts';
import { RequestIdentifier } from '../sources/push/request-identifier.ts';
import { TelemetryPush } from '../sources/push/telemetry-push.ts';
import type { HaService, HaServiceOptions } from './ha-service-options.ts';
import { leadFleet } from './lead-fleet.ts';
import { leadWhenElected } from './lead.ts';
import { listenAddress } from './listen-address.ts';
import { openCompute } from './open-compute.ts';
import { openStore } from './open-store.ts';
import { LeadState, replicaState, VERSION, type Replica } from './replica.ts';
import { requireDefinitions } from './require-definitions.ts';
import { createHttpsServer, listen, serveRequests } from './start-https-server.ts';
import { systemServiceClock } from './system-service-clock.ts';
import { followTlsIdentity, readTlsIdentity, type TlsFiles } from './tls-identity.ts';

const USER_AGENT = `smalt-ha-service/${VERSION}`;

/**
 * Starts a replica: it takes telemetry and serves the API at once, and leads when the Lease is its own. It works until it
 * is disposed of or the signal fires. Rejects for what will not get better by waiting.
 */
export async function startHaService(options: HaServiceOptions, signal: AbortSignal): Promise<HaService> {
  signal.throwIfAborted();
  await using stack = new AsyncDisposableStack();
  const { health = new HealthRegistry() } = options;
  let isStarted = false;
  stack.use(health.add({ name: 'started', kinds: ['readyz'], check: () => requireStart(isStarted) }));
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  const replica = await openReplica(options, stack, until);
  await checkCompute(replica, until);
  const served = await serve(replica, health, stack, until);
  isStarted = true;
  const ended = run(replica, options, served.follow, until);
  // Whoever disposes of the service hears of it; nobody has to ask for `ended`.
  ended.catch(() => undefined);
  stack.defer(async () => {
    stop.abort(new Error('the service was stopped'));
    await Promise.allSettled([ended]);
  });
  const owned = stack.move();
  return { port: served.port, metrics: replica.metrics, ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function requireStart(isStarted: boolean): void {
  if (!isStarted) throw new Error('the service is still starting: it waits for its store, or for the API server');
}

async function openReplica(
  options: HaServiceOptions,
  stack: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<Replica> {
  const { settings, kubeConfig, logger, identity, environment, metrics = new MetricsRegistry() } = options;
  const clock = systemServiceClock();
  const ignore = createIgnore(metrics, logger);
  const onExchange = countClientRequests(metrics);
  const client = stack.use(new KubeClient({ config: kubeConfig, userAgent: USER_AGENT, environment, onExchange }));
  const { store: storeSettings, compute: computeSettings } = settings.current;
  const store = stack.use(await openStore(storeSettings, { clock, ignore }, signal));
  const around = { settings: computeSettings, environment, metrics, userAgent: USER_AGENT };
  const compute = stack.use(await openCompute(around));
  await requireDefinitions(client, logger, signal);
  const cluster = stack.use(await openCluster({ client, clock, logger, ignore }, signal));
  const power = stack.use(
    createPower({
      kube: client,
      ignore,
      clock,
      newId: randomUUID,
      settings: () => settings.current.fencing,
      facts: (name) => {
        const host = cluster.host(name);
        return host === undefined ? undefined : { name, address: host.bmcAddress, labels: host.labels };
      },
    }),
  );
  const counts = new HaMetrics(metrics);
  const lead = new LeadState(new EngineMetrics(counts));
  return { identity, settings, client, store, cluster, power, compute, clock, logger, ignore, metrics, counts, lead };
}

/** A cloud that is away comes back, and the engine is blind until then; one that refuses us does so for good. */
async function checkCompute({ compute, logger }: Replica, signal: AbortSignal): Promise<void> {
  try {
    await compute.check(signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HaServiceError) throw error;
    logger.warn({ error }, 'the compute system is away; nothing is done about any host until it is back');
  }
}

interface Served {
  readonly port: number;
  /** Follows the files of the server's identity. */
  readonly follow: (signal: AbortSignal) => Promise<void>;
}

async function serve(
  replica: Replica,
  health: HealthRegistry,
  stack: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<Served> {
  const { settings, store, clock, logger, metrics, counts, ignore } = replica;
  const files = (): TlsFiles => tlsFiles(replica);
  const identity = await readTlsIdentity(files());
  const server = createHttpsServer(identity);
  const handler = await createApi(apiContext(replica), server, signal);
  serveRequests(server, handler, telemetryPush(replica));
  stack.use(health.add({ name: 'store', kinds: ['readyz'], check: (until) => store.ping(until) }));
  metrics.onScrape((until) => scrapeStore({ store, clock, ignore, settings: () => settings.current }, until));
  metrics.onCollect(() => {
    counts.leader.set(Number(replica.lead.isLeading));
    counts.settingsValid.set(Number(settings.trouble === undefined));
  });
  const { port } = stack.use(await listen(server, listenAddress(settings.current.listen)));
  const use = server.setSecureContext.bind(server);
  return { port, follow: (until) => followTlsIdentity({ files, clock, logger, use }, identity, until) };
}

function apiContext(replica: Replica): ApiContext {
  const { store, settings, clock, logger, ignore, client } = replica;
  const authenticator = new Authenticator({
    settings: () => settings.current.api,
    kubernetes: new KubernetesCallers(client, clock),
    clock,
    ignore,
  });
  const state = (): ReturnType<ApiContext['replica']> => replicaState(replica);
  return { store, settings: () => settings.current, replica: state, authenticator, clock, logger, ignore };
}

function telemetryPush({ store, settings, client, clock, logger, ignore, counts }: Replica): TelemetryPush {
  const pushSettings = (): PushSettings => settings.current.sources.push;
  const kubernetes = new KubernetesNodes({ client, clock, ignore });
  const around = { settings: pushSettings, clock };
  const identifier = new RequestIdentifier({ ...around, kubernetes, ignore, wallNow: Date.now });
  const count = (result: PushResult): void => counts.telemetryBatches.cell([result]).add();
  return new TelemetryPush({ ...around, store: store.telemetry, identifier, logger, count });
}

function tlsFiles({ settings }: Replica): TlsFiles {
  const { tls, api, sources } = settings.current;
  const files = [api.clientCertificates.authorityFile, sources.push.authorityFile];
  return { ...tls, authorityFiles: files.filter((file) => file !== '') };
}

/** Until the signal fires, or the process has to end. */
async function run(
  replica: Replica,
  { kubeConfig, lease, settings }: HaServiceOptions,
  follow: Served['follow'],
  signal: AbortSignal,
): Promise<void> {
  const { client, clock, logger, ignore, identity, lead } = replica;
  const { leaseName, leaseNamespace } = settings.current.kubernetes;
  const place = { ...lease, identity, name: leaseName, namespace: leaseNamespace || kubeConfig.namespace };
  const onChange = (isLeading: boolean): void => {
    lead.change(isLeading);
    logger.info({ isLeading, identity }, isLeading ? 'this replica leads' : 'this replica does not lead any more');
  };
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const tasks = [
    leadWhenElected(
      { client, clock, logger, ignore, place, onChange, work: (leading) => leadFleet(replica, leading) },
      until,
    ),
    settings.follow({ clock, logger, ignore, onChange: () => logger.setLevel(settings.current.log.level) }, until),
    follow(until),
  ];
  try {
    await Promise.race(tasks);
  } finally {
    over.abort(new Error('the service is over'));
    await Promise.allSettled(tasks);
  }
}
