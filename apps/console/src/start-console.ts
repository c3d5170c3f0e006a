import { once } from 'node:events';
import { hostname } from 'node:os';
import type { Duplex } from 'node:stream';

import { KubeClient, type KubeConfig, type TlsOptions } from '@smalt/kube';
import { CertificateExpiry, createIgnore, type Ignore } from '@smalt/service-runtime';
import { followCertificateFiles, type FiledCertificate } from '@smalt/serving-certificate';

import { ConsoleCalls } from './console-calls.ts';
import { systemClock } from './console-clock.ts';
import type { ConsoleContext } from './console-context.ts';
import { ConsoleError } from './console-error.ts';
import { DEFAULT_LIMITS } from './console-limits.ts';
import { ConsoleMetrics } from './console-metrics.ts';
import type { ConsoleOptions, ConsoleServer } from './console-options.ts';
import { listen, type Listener } from './http/listen.ts';
import { OwnOrigins } from './http/own-origins.ts';
import { TrustedProxies } from './http/trusted-proxies.ts';
import { readTlsFiles, useCertificate } from './http/tls-files.ts';
import { Pages } from './pages/pages.ts';
import { HighAvailability } from './proxy/high-availability.ts';
import { Upstream } from './proxy/upstream.ts';
import { Allowance } from './session/allowance.ts';
import { CallCounts } from './session/call-counts.ts';
import { KnownUsers } from './session/known-users.ts';
import { reviewUser } from './session/reviewed-user.ts';
import { SessionChecks } from './session/session-checks.ts';
import { readSessionKey } from './session/session-key.ts';
import { SessionSeal } from './session/session-seal.ts';
import { LONGEST_SESSION_MS, Sessions } from './session/sessions.ts';
import { SignInLimit } from './session/sign-in-limit.ts';
import { openSignedOut } from './session/open-signed-out.ts';

const REVIEW_MS = 10_000;

/** Starts the console's server. Rejects for what can never work: an address that is taken, a key that others can read. */
export async function startConsole(options: ConsoleOptions, signal: AbortSignal): Promise<ConsoleServer> {
  const { tls, clock = systemClock, logger } = options;
  await using stack = new AsyncDisposableStack();
  const stop = new AbortController();
  const stopping = AbortSignal.any([signal, stop.signal]);
  const files = tls && { ...tls, authorityFiles: [] };
  const certificate = files && (await readTlsFiles(files));
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const origins: { own?: OwnOrigins } = {};
  const context = await openContext(options, stack, { stopping, limits, origins: () => ownOf(origins) });
  const { mostConnections } = limits;
  const listener = stack.use(await listen({ ...options.listen, certificate, mostConnections }));
  const { server, port } = listener;
  const listening = { host: options.listen.host, port };
  origins.own = makeOrigins(options, listening);
  serve(listener, new ConsoleCalls(context), context.ignore);
  if (files !== undefined && certificate !== undefined) {
    const expiry = new CertificateExpiry(options.metrics, 'console');
    expiry.tellOf(certificate.certificate);
    const use = (found: FiledCertificate): void => {
      useCertificate(server, found);
      expiry.tellOf(found.certificate);
    };
    const following = followCertificateFiles({ files: () => files, clock, logger, use }, certificate, stopping);
    stack.defer(() => following);
  }
  addHealth(options, stack, context);
  stack.defer(() => stop.abort(new Error('the console stops')));
  const owned = stack.move();
  return {
    port,
    url: urlOf(listening, tls !== undefined),
    ended: ended(stopping),
    createEntry: (token) => context.sessions.entries.create(token),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

type Known = Pick<ConsoleContext, 'stopping' | 'limits' | 'origins'>;

async function openContext(
  options: ConsoleOptions,
  stack: AsyncDisposableStack,
  known: Known,
): Promise<ConsoleContext> {
  const { apiServer, logger, metrics, clock = systemClock } = options;
  const ignore = createIgnore(metrics, logger);
  const seal = new SessionSeal(await readSessionKey(options.keyFile));
  const signedOut = await openSignedOut(options, stack, { clock, ignore, stopping: known.stopping });
  const upstream = stack.use(apiUpstream(apiServer, stack));
  const highAvailability = options.highAvailability && stack.use(new HighAvailability(options.highAvailability));
  const { limits, stopping } = known;
  const ask = (token: string): ReturnType<typeof reviewUser> =>
    reviewUser(apiServer, token, AbortSignal.any([stopping, AbortSignal.timeout(REVIEW_MS)]));
  return {
    ...known,
    apiServer,
    localHosts: options.localHosts ?? [],
    proxies: new TrustedProxies(options.trustedProxies ?? []),
    upstream,
    highAvailability,
    sessions: new Sessions({ seal, signedOut, clock }),
    checks: new SessionChecks({ ask, clock, ignore, random: Math.random, everyMs: limits.checkMs }),
    users: new KnownUsers(clock, ask),
    signIns: new SignInLimit(clock, limits.signInsPerMinute),
    begun: new Allowance(clock, limits.sessionsOfUser, LONGEST_SESSION_MS),
    calls: new CallCounts('requests', limits.mostCallsOfSession),
    lives: new CallCounts('pages', limits.mostLiveOfSession),
    streams: new CallCounts('logs and graphs', limits.mostStreamsOfUser),
    changes: new CallCounts('pages on high availability', limits.mostChangesOfUser),
    pages: new Pages(options.pagesDirectory),
    metrics: new ConsoleMetrics(metrics),
    clock,
    logger,
    ignore,
  };
}

/** The way to the API server; who we are there is left out of it, because nothing is done in our own name. */
function apiUpstream(config: KubeConfig, stack: AsyncDisposableStack): Upstream {
  if (config.proxyUrl !== undefined) {
    throw new ConsoleError('bad-setting', 'kubeconfig: its proxy-url cannot be used: give one without');
  }
  const anonymous = { ...config, identity: { kind: 'anonymous' } } as const;
  const client = stack.use(new KubeClient({ config: anonymous, userAgent: 'smalt-console/0.1.0' }));
  const tls = async (): Promise<TlsOptions> => (await client.upgradeTarget('/')).tls;
  return new Upstream({ name: 'the API server', url: config.server, tls });
}

function makeOrigins(options: ConsoleOptions, listening: ConsoleOptions['listen']): OwnOrigins {
  const { tls, origins = [] } = options;
  for (const origin of origins) {
    const url = URL.parse(origin);
    const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.origin === origin.replace(/\/$/, '');
    if (!isOrigin) {
      const message = `origins: ${JSON.stringify(origin)} is none: give such as https://console.example`;
      throw new ConsoleError('bad-setting', message);
    }
  }
  return new OwnOrigins({ listen: listening, isTls: tls !== undefined, origins, machine: hostname() });
}

function ownOf({ own }: { readonly own?: OwnOrigins }): OwnOrigins {
  if (own === undefined) throw new ConsoleError('unavailable', 'the console is still starting: try again');
  return own;
}

function serve({ server }: Listener, calls: ConsoleCalls, ignore: Ignore): void {
  server.on('request', (request, response) => {
    calls.handle(request, response).catch((error: unknown) => {
      ignore(error, 'a request ended with its connection');
      response.destroy();
    });
  });
  server.on('upgrade', (request, socket: Duplex, head: Buffer) => {
    calls.upgrade(request, socket, head).catch((error: unknown) => {
      ignore(error, 'a stream ended with its connection');
      socket.destroy();
    });
  });
}

/** An API server that is away is no reason to send nobody here: the page is what says so. */
function addHealth({ health }: ConsoleOptions, stack: AsyncDisposableStack, { pages }: ConsoleContext): void {
  stack.use(health.add({ name: 'pages', kinds: ['readyz'], check: () => pages.check() }));
}

function urlOf({ host, port }: ConsoleOptions['listen'], isTls: boolean): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const shown = isEverywhere ? hostname() : host.includes(':') ? `[${host}]` : host;
  return `${isTls ? 'https' : 'http'}://${shown}:${port}`;
}

async function ended(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
