import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';

import { countClientRequests } from '@smalt/controller-runtime';
import { KubeClient } from '@smalt/kube';
import { AccessReviews, TokenReviews } from '@smalt/kubernetes-callers';
import { CertificateExpiry, createIgnore, HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';
import {
  followCertificateFiles,
  readCertificateFiles,
  type CertificateFiles,
  type FiledCertificate,
} from '@smalt/serving-certificate';

import { Authenticator } from '../api/authenticator.ts';
import type { ApiContext } from '../api/api-context.ts';
import { ChangeNews } from '../api/changes/change-news.ts';
import { SignalHistory } from '../api/changes/signal-history.ts';
import { toldStore } from '../api/changes/told-store.ts';
import { createApi } from '../api/create-api.ts';
import { KubernetesCallers } from '../api/kubernetes-callers.ts';
import { placeAnnotations } from '../api/leader/leader-place.ts';
import { OwnCertificates } from '../api/leader/own-certificates.ts';
import { watchCluster } from '../cluster/open-cluster.ts';
import { HaServiceError } from '../ha-service-error.ts';
import { EngineMetrics } from '../metrics/engine-metrics.ts';
import { HaMetrics } from '../metrics/ha-metrics.ts';
import { scrapeStore } from '../metrics/scrape-store.ts';
import { createPower } from '../power/create-power.ts';
import type { HaServiceSettings } from '../settings/ha-service-settings.ts';
import { KdumpListener } from '../sources/kdump/kdump-listener.ts';
import { KubernetesNodes } from '../sources/push/kubernetes-nodes.ts';
import type { PushResult } from '../sources/push/push-result.ts';
import type { PushSettings } from '../sources/push/push-settings.ts';
import { RequestIdentifier } from '../sources/push/request-identifier.ts';
import { TelemetryPush } from '../sources/push/telemetry-push.ts';
import type { HaService, HaServiceOptions } from './ha-service-options.ts';
import { leadFleet } from './lead-fleet.ts';
import { leadWhenElected, type LeasePlace } from './lead.ts';
import { listenAddress } from './listen-address.ts';
import { openCompute } from './open-compute.ts';
import { openStore } from './open-store.ts';
import { ownUrl } from './own-url.ts';
import { LeadState, replicaState, VERSION, type Replica } from './replica.ts';
import { requireDefinitions } from './require-definitions.ts';
import { createHttpsServer, listen, secureContextOf, serveRequests } from './start-https-server.ts';
import { switchFacts } from './switch-facts.ts';
import { systemServiceClock } from './system-service-clock.ts';
import { tellAuthority, type TellAuthorityDeps } from './tell-authority.ts';

/** How long the start waits for systems that may refuse us for good; they may also be away. */
const PATIENCE_MS = 5_000;
const USER_AGENT = `smalt-ha-service/${VERSION}`;

/**
 * Starts a replica: it takes telemetry and serves the API as soon as its store is there, whatever else is away, and leads
 * when the Lease is its own. It works until it is disposed of or the signal fires. What will not get better by waiting
 * rejects the start, or `ended` if it is found only later.
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
  const served = await serve(replica, health, stack, until);
  isStarted = true;
  const checked = checkOthers(replica, until);
  await Promise.race([checked, replica.clock.wait(PATIENCE_MS, until)]);
  const ended = run(replica, options, { ...served, checked }, until);
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
  if (!isStarted) throw new Error('the service is still starting: it waits for its store');
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
  const { store: storeSettings, compute: computeSettings, pace } = settings.current;
  const counts = new HaMetrics(metrics);
  const onEvents = (count: number): void => counts.events.add(count);
  const onLoss = (reason: string, count: number): void => counts.losses.cell([reason]).add(count);
  const news = new ChangeNews();
  const opened = stack.use(await openStore(storeSettings, { clock, ignore, onEvents, onLoss }, signal));
  const store = toldStore(opened, () => news.tell('store'));
  const { serviceDownMs } = pace;
  const around = { settings: computeSettings, client, serviceDownMs, environment, metrics, userAgent: USER_AGENT };
  const compute = stack.use(await openCompute(around));
  const cluster = stack.use(watchCluster({ client, clock, logger, ignore }));
  const fencing = (): HaServiceSettings['fencing'] => settings.current.fencing;
  const power = stack.use(
    createPower({ kube: client, ignore, clock, newId: randomUUID, settings: fencing, ...switchFacts(cluster) }),
  );
  const lead = new LeadState(new EngineMetrics(counts));
  const kdump = new KdumpListener({
    settings: () => settings.current.sources.kdump,
    hosts: () => cluster.view().hosts,
    clock,
    logger,
    count: (result) => counts.kdumpMessages.cell([result]).add(),
  });
  const outside = { identity, settings, client, store, cluster, power, compute, kdump, clock };
  return { ...outside, logger, ignore, metrics, counts, lead, history: new SignalHistory(), news };
}

/** Rejects if the API server or the compute system refuses us for good. One that is away is waited for by others. */
async function checkOthers(replica: Replica, signal: AbortSignal): Promise<void> {
  const { client, logger } = replica;
  await Promise.all([requireDefinitions(client, logger, signal), checkCompute(replica, signal)]);
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
  /** Follows the files of the server's certificate. */
  readonly follow: (signal: AbortSignal) => Promise<void>;
}

async function serve(
  replica: Replica,
  health: HealthRegistry,
  stack: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<Served> {
  const { settings, store, clock, logger, metrics, counts, ignore } = replica;
  const files = (): CertificateFiles => certificateFiles(replica);
  const first = await readCertificateFiles(files());
  const server = createHttpsServer(first);
  const expiry = new CertificateExpiry(metrics, 'ha-service');
  expiry.tellOf(first.certificate);
  const own = new OwnCertificates(clock, first.certificate);
  // One for both, so that persons and nodes together do not ask too much.
  const audience = (): string => settings.current.kubernetes.audience;
  const reviews = new TokenReviews({ client: replica.client, audience });
  const handler = await createApi({ ...apiContext(replica, reviews), certificates: () => own.all() }, server, signal);
  serveRequests(server, handler, telemetryPush(replica, reviews));
  stack.use(health.add({ name: 'store', kinds: ['readyz'], check: (until) => store.ping(until) }));
  metrics.onScrape((until) => scrapeStore({ store, clock, ignore, settings: () => settings.current }, until));
  metrics.onCollect(() => {
    counts.leader.set(Number(replica.lead.isLeading));
    counts.settingsValid.set(Number(settings.trouble === undefined));
  });
  const { port } = stack.use(await listen(server, listenAddress(settings.current.listen)));
  const use = (changed: FiledCertificate): void => {
    server.setSecureContext(secureContextOf(changed));
    own.use(changed.certificate);
    expiry.tellOf(changed.certificate);
  };
  return { port, follow: (until) => followCertificateFiles({ files, clock, logger, use }, first, until) };
}

function apiContext(replica: Replica, reviews: TokenReviews): Omit<ApiContext, 'certificates'> {
  const { store, settings, clock, logger, ignore, client } = replica;
  const authenticator = new Authenticator({
    settings: () => settings.current.api,
    kubernetes: new KubernetesCallers({ reviews, access: new AccessReviews({ client, clock }), clock }),
    clock,
    ignore,
  });
  const state = (): ReturnType<ApiContext['replica']> => replicaState(replica);
  const { history, news } = replica;
  const around = { clock, logger, ignore, history, news };
  return { store, settings: () => settings.current, replica: state, authenticator, ...around };
}

function telemetryPush(replica: Replica, reviews: TokenReviews): TelemetryPush {
  const { store, settings, clock, logger, ignore, counts } = replica;
  const pushSettings = (): PushSettings => settings.current.sources.push;
  const kubernetes = new KubernetesNodes({ reviews, clock, ignore });
  const around = { settings: pushSettings, clock };
  const identifier = new RequestIdentifier({ ...around, kubernetes, ignore, wallNow: Date.now });
  const count = (result: PushResult): void => counts.telemetryBatches.cell([result]).add();
  return new TelemetryPush({ ...around, store: store.telemetry, identifier, logger, count });
}

function certificateFiles({ settings }: Replica): CertificateFiles {
  const { tls, api, sources } = settings.current;
  const files = [api.clientCertificates.authorityFile, sources.push.authorityFile];
  return { ...tls, authorityFiles: files.filter((file) => file !== '') };
}

/** Until the signal fires, or the process has to end. */
async function run(
  replica: Replica,
  { kubeConfig, lease, settings }: HaServiceOptions,
  { follow, port, checked }: Served & { readonly checked: Promise<void> },
  signal: AbortSignal,
): Promise<void> {
  const { client, clock, logger, ignore, kdump } = replica;
  const place = { ...lease, ...leasePlace(replica, kubeConfig.namespace, port) };
  const onChange = (isLeading: boolean): void => changeLead(replica, isLeading);
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const tasks = [
    leadWhenElected(
      {
        client,
        clock,
        logger,
        ignore,
        place,
        onChange,
        follow: (holder) => replica.lead.follow(holder),
        work: (isLeading, leading) => leadFleet(replica, isLeading, leading),
      },
      until,
    ),
    settings.follow({ clock, logger, ignore, onChange: () => logger.setLevel(settings.current.log.level) }, until),
    follow(until),
    tellAuthority(authorityDeps(replica, place.namespace), until),
    kdump.run(until),
    refusal(checked, until),
  ];
  try {
    await Promise.race(tasks);
  } finally {
    over.abort(new Error('the service is over'));
    await Promise.allSettled(tasks);
  }
}

function authorityDeps({ client, clock, logger, settings }: Replica, namespace: string): TellAuthorityDeps {
  return { client, clock, logger, namespace, settings: () => settings.current.tls.authority };
}

function leasePlace({ settings, identity, logger }: Replica, ownNamespace: string, port: number): LeasePlace {
  const { kubernetes, listen: address, api } = settings.current;
  const { leaseName: name, leaseNamespace } = kubernetes;
  const url = ownUrl(api.ownHost, { ...listenAddress(address), port }, networkInterfaces());
  if (url === undefined) logger.info({}, 'other replicas are not told where this one is: set api.ownHost');
  else logger.info({ url }, 'other replicas find this one here while it leads');
  const annotations = placeAnnotations(identity, url);
  return { name, namespace: leaseNamespace || ownNamespace, identity, annotations };
}

function changeLead({ lead, history, news, logger, identity }: Replica, isLeading: boolean): void {
  logger.info({ isLeading, identity }, isLeading ? 'this replica leads' : 'this replica does not lead any more');
  lead.change(isLeading);
  // What another one thinks while it leads is not known here.
  if (!isLeading) history.clear();
  news.tell('look');
}

/** Rejects if others refuse us for good; that all is well ends nothing. */
async function refusal(checked: Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await checked;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (!signal.aborted) await once(signal, 'abort');
}
