import { systemClock, type Clock } from '@smalt/controller-runtime';
import { KubeClient, type Identity, type KubeConfig } from '@smalt/kube';
import { AccessReviews } from '@smalt/kubernetes-callers';
import { listenTls, parseListen, requestListener, type TlsListener } from '@smalt/node-service';
import { createIgnore, type HealthRegistry, type Logger, type MetricsRegistry } from '@smalt/service-runtime';
import type { ClusterSettings } from '@smalt/vm-admission';

import type { ControlPlane } from './admission/requester-of.ts';
import type { HandlerTokenSettings } from './handler/handler-tokens.ts';
import { certificateMetrics } from './metrics/certificate-metrics.ts';
import { CallServer } from './server/call-server.ts';
import {
  fileSource,
  secretSource,
  type CertificateFiles,
  type CertificateSource,
} from './server/certificate-source.ts';
import { FrontProxyAuthority } from './server/front-proxy-authority.ts';
import { ServingIdentity } from './server/serving-identity.ts';
import { openVirtApiParts } from './virt-api-parts.ts';

/** How virt-api is served beside an API server that is not in its process. */
export interface VirtApiServiceOptions {
  readonly kubeConfig: KubeConfig;
  readonly settings: ClusterSettings;
  readonly controlPlane: ControlPlane;
  /** Where the Service and the Secret are. */
  readonly namespace: string;
  /** The Service that API servers reach us by. */
  readonly serviceName: string;
  /** The Secret that replicas share their certificate by, where no files are given. */
  readonly secretName: string;
  /** Such as `0.0.0.0:8443`. */
  readonly listen: string;
  readonly certificateFiles?: CertificateFiles | undefined;
  /** Names and addresses beside those of the Service that we are reached by. */
  readonly otherNames?: readonly string[];
  readonly handlerIdentity?: Identity | undefined;
  readonly handlerTokens?: HandlerTokenSettings | undefined;
  readonly mostStreams: number;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly health: HealthRegistry;
  readonly clock?: Clock;
}

/** A virt-api that serves. Disposing of it lets short requests finish and ends streams. */
export interface VirtApi extends AsyncDisposable {
  readonly port: number;
  /** Resolves when it has been told to stop. */
  readonly ended: Promise<void>;
}

const USER_AGENT = 'smalt-virt-api/0.1.0';
const SPARE_CONNECTIONS = 500;
const MOST_HEAD_BYTES = 65_536;
/** API servers keep connections to us, and a review that is sent as one is shut is a write that fails. */
const FAREWELL_MS = 2_000;
/** API servers keep a connection for 90 s, and a review sent while we shut it fails: they are the ones to let it go. */
const IDLE_MS = 120_000;

/** Starts virt-api as webhooks and as an aggregated API. Waits for the cluster; rejects for what can never work. */
export async function startVirtApi(options: VirtApiServiceOptions, signal: AbortSignal): Promise<VirtApi> {
  const { kubeConfig, logger, metrics, clock = systemClock } = options;
  const address = parseListen(options.listen, 'serve');
  await using stack = new AsyncDisposableStack();
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  const client = stack.use(new KubeClient({ config: kubeConfig, userAgent: USER_AGENT }));
  const monotonic = { now: () => clock.monotonic() };
  const frontProxy = new FrontProxyAuthority({ client, clock: monotonic });
  const source = certificateSource(options, client, clock);
  const around = { client, clock, logger, metrics: certificateMetrics(metrics) };
  const identity = await ServingIdentity.open({ ...around, source, frontProxy }, until);
  const { handlerIdentity, handlerTokens, ...rest } = options;
  const parts = await openVirtApiParts({
    ...rest,
    client,
    ...(handlerIdentity === undefined ? {} : { handlerIdentity }),
    ...(handlerTokens === undefined ? {} : { handlerTokens }),
  });
  const access = new AccessReviews({ client, clock: monotonic });
  const calls = new CallServer({ ...parts, frontProxy, access, logger, stopping: until });
  const limits = {
    mostConnections: options.mostStreams + SPARE_CONNECTIONS,
    setting: 'serve',
    mostHeadBytes: MOST_HEAD_BYTES,
    farewellMs: FAREWELL_MS,
    idleMs: IDLE_MS,
  };
  const listener = stack.use(await listenTls(identity.context, address, limits));
  serve(listener, calls, createIgnore(metrics, logger));
  const following = identity.follow(listener.server, until);
  stack.defer(async () => {
    stop.abort();
    await following;
  });
  stack.use(options.health.add({ name: 'serving', kinds: ['readyz'], check: () => checkServing(listener) }));
  const owned = stack.move();
  return { port: listener.port, ended: following, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function serve({ server }: TlsListener, calls: CallServer, ignore: ReturnType<typeof createIgnore>): void {
  server.on('request', requestListener(calls, ignore));
  server.on('upgrade', (request, socket, head) => {
    calls.upgrade(request, socket, head).catch((error: unknown) => {
      ignore(error, 'a stream ended with its connection');
      socket.destroy();
    });
  });
}

function checkServing({ server }: TlsListener): void {
  if (!server.listening) throw new Error('nothing is listened on');
}

function certificateSource(options: VirtApiServiceOptions, client: KubeClient, clock: Clock): CertificateSource {
  const { certificateFiles, namespace, serviceName, secretName, otherNames = [] } = options;
  if (certificateFiles !== undefined) return fileSource(certificateFiles);
  const service = `${serviceName}.${namespace}`;
  const names = [`${service}.svc`, `${service}.svc.cluster.local`, service, serviceName, ...otherNames];
  return secretSource({ client, namespace, name: secretName }, { names, now: () => new Date(clock.now()) });
}
