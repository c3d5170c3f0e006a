import { hostname } from 'node:os';

import { systemClock, type Clock } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import { AccessReviews, ClientAuthority, KubernetesAuthenticator, TokenReviews } from '@smalt/kubernetes-callers';
import {
  advertisedHost,
  FollowedIdentity,
  listenTls,
  parseListen,
  requestListener,
  urlOf,
  type ListenAddress,
} from '@smalt/node-service';
import type { Ignore, Logger, MetricsRegistry } from '@smalt/service-runtime';

import type { GivenAddresses } from '../network/network-plugin.ts';
import type { NodeLogs } from '../logs/node-logs.ts';
import type { RunningInstances } from '../sync/running-instances.ts';
import type { UsageSampler } from '../usage/usage-sampler.ts';
import { Freezes } from './guest/freezes.ts';
import type { NodeApiSettings } from './node-api-settings.ts';
import { NodeApiServer } from './server/node-api-server.ts';
import { StreamServer } from './streams/stream-server.ts';

const LABEL = { title: 'the node API', setting: 'nodeApi', fileName: 'node-api' };
const ALL_ADDRESSES: ReadonlySet<string> = new Set(['::', '0.0.0.0']);
/** What others call the Node's annotations for finding this service. */
const URL_ANNOTATION = 'smalt.dev/virt-handler-url';
const AUTHORITY_ANNOTATION = 'smalt.dev/virt-handler-ca';

export interface NodeApiOptions {
  readonly nodeName: string;
  readonly instances: RunningInstances;
  readonly sampler: UsageSampler;
  readonly logs: NodeLogs;
  /** Where ports of guests are reached. */
  readonly addresses: GivenAddresses;
  /** The address of this machine, for a service that listens on all; throws when there is none that others could reach. */
  readonly ownAddress: (setting: string) => string;
  readonly client: Pick<KubeClient, 'request'>;
  readonly settings: NodeApiSettings;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly metrics: MetricsRegistry;
  /** Called when `annotations` say something else than before, such as after the certificate was renewed. */
  readonly onAnnotations?: () => void;
  readonly clock?: Clock;
}

/** The running service. */
export interface NodeApi extends AsyncDisposable {
  readonly port: number;
  /** What the Node has to carry so that virt-api finds the service and trusts it. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Serves the node API over HTTPS until it is disposed of or the signal fires. Open streams end with it. */
export async function startNodeApi(options: NodeApiOptions, signal: AbortSignal): Promise<NodeApi> {
  const { settings, ignore, logger, clock = systemClock } = options;
  await using stack = new AsyncDisposableStack();
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  const address = parseListen(settings.listen, LABEL.setting);
  const host = hostOf(options, address);
  const authority = new ClientAuthority({ client: options.client, clock: { now: () => clock.monotonic() } });
  const names = [...new Set([host, hostname(), 'localhost', '127.0.0.1'])];
  const now = (): number => clock.now();
  const own = { directory: settings.stateDirectory, commonName: options.nodeName, names, now, ignore };
  const onChange = (): void => options.onAnnotations?.();
  const followed = { label: LABEL, authority, clock, logger, onChange };
  const identity = await FollowedIdentity.open({ files: settings, own, ...followed });
  // Before the listener, so that it is disposed of after: calls end when their connections have.
  const server = createServer(options, { authority, until }, stack);
  const limits = { mostConnections: settings.mostCalls * 2, setting: LABEL.setting };
  const listening = stack.use(await listenTls(identity.context, address, limits));
  listening.server.on('request', requestListener(server, ignore));
  listening.server.on('upgrade', (request, socket, head) => {
    server.upgrade(request, socket, head).catch((error: unknown) => {
      ignore(error, 'a stream ended with its connection');
      socket.destroy();
    });
  });
  const following = identity.follow(listening.server, until);
  stack.defer(async () => {
    stop.abort(new Error('the handler stops'));
    await following;
  });
  const url = urlOf(host, listening.port);
  const owned = stack.move();
  return {
    port: listening.port,
    get annotations() {
      const trusted = identity.authority === '' ? {} : { [AUTHORITY_ANNOTATION]: identity.authority };
      return { [URL_ANNOTATION]: url, ...trusted };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Where others reach the service. */
function hostOf({ settings, ownAddress }: NodeApiOptions, address: ListenAddress): string {
  const isEverywhere = settings.advertise === '' && ALL_ADDRESSES.has(address.host);
  return isEverywhere ? ownAddress(`${LABEL.setting}.advertise`) : advertisedHost(settings.advertise, address);
}

interface ServerParts {
  readonly authority: ClientAuthority;
  readonly until: AbortSignal;
}

function createServer(
  options: NodeApiOptions,
  { authority, until }: ServerParts,
  stack: AsyncDisposableStack,
): NodeApiServer {
  const { settings, client, logger, metrics, clock = systemClock } = options;
  const callersClock = { now: () => clock.monotonic() };
  const audience = settings.audience.replaceAll('{node}', options.nodeName);
  const formerAudiences = [settings.formerAudience].filter((each) => each !== '');
  const reviews = new TokenReviews({ client, audience: () => audience, formerAudiences });
  const calls = metrics.counter({
    name: 'smalt_virt_handler_calls_total',
    help: 'Calls of the node API by subresource and status.',
    labelNames: ['subresource', 'status'],
  });
  const streams = new StreamServer({ ...options, ...settings, signal: until });
  addStreamMetrics(metrics, streams);
  const freezes = stack.use(new Freezes({ clock, logger, signal: until }));
  return stack.use(
    new NodeApiServer({
      ...options,
      ...settings,
      streams,
      freezes,
      authenticator: new KubernetesAuthenticator({ reviews, authority, clock: callersClock }),
      access: new AccessReviews({ client, clock: callersClock }),
      clock: callersClock,
      count: (subresource, status) => calls.cell([subresource, String(status)]).add(),
      signal: until,
    }),
  );
}

function addStreamMetrics(metrics: MetricsRegistry, streams: StreamServer): void {
  const open = metrics.gauge({
    name: 'smalt_virt_handler_streams',
    help: 'Consoles, displays and ports that are open.',
  });
  const readers = metrics.gauge({
    name: 'smalt_virt_handler_readers',
    help: 'Those who are told of usage or logs.',
    labelNames: ['of'],
  });
  metrics.onCollect(() => {
    open.cell([]).set(streams.open);
    for (const [of, count] of Object.entries(streams.readers)) readers.cell([of]).set(count);
  });
}
