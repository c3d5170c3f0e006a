import { hostname } from 'node:os';

import { ownIdentity, systemClock, type Clock } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import { AccessReviews, ClientAuthority, KubernetesAuthenticator, TokenReviews } from '@smalt/kubernetes-callers';
import { advertisedHost, FollowedIdentity, listenTls, parseListen, requestListener, urlOf } from '@smalt/node-service';
import { messageOf, type Ignore, type Logger, type MetricsRegistry } from '@smalt/service-runtime';

import type { SwitchAccess } from '../switch-access.ts';
import { Captures } from './capture/captures.ts';
import type { RunningCaptures } from './capture/running-captures.ts';
import { sweepCaptures } from './capture/sweep-captures.ts';
import { RecentChanges } from './diagnostics/recent-changes.ts';
import { createRoutes } from './routes.ts';
import { CallServer } from './server/call-server.ts';
import type { TroubleshootingSettings } from './troubleshooting-settings.ts';

const LABEL = { title: 'the troubleshooting API', setting: 'troubleshoot', fileName: 'troubleshooting' };
const SWEEP_MS = 30_000;
/** What others call the OVSNode's annotations for finding this service. */
const URL_ANNOTATION = 'smalt.dev/troubleshooting-url';
const AUTHORITY_ANNOTATION = 'smalt.dev/troubleshooting-ca';

export interface TroubleshootingOptions {
  readonly access: SwitchAccess;
  readonly client: Pick<KubeClient, 'request'>;
  /** The OVSNode that calls are authorized against. */
  readonly object: { readonly namespace: string; readonly name: string };
  readonly settings: TroubleshootingSettings;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly metrics: MetricsRegistry;
  /** Where the captures that run are told, for those who judge their mirrors. */
  readonly running?: RunningCaptures | undefined;
  /** Called when `annotations` say something else than before, such as after the certificate was renewed. */
  readonly onAnnotations?: () => void;
  readonly clock?: Clock;
}

/** The running service. */
export interface Troubleshooting extends AsyncDisposable {
  readonly port: number;
  /** What the OVSNode has to carry so that `smalt ovs` finds the service and trusts it. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Serves the troubleshooting API over HTTPS until it is disposed of, and clears away what captures of an earlier run have left. */
export async function startTroubleshooting(
  options: TroubleshootingOptions,
  signal: AbortSignal,
): Promise<Troubleshooting> {
  const { settings, access, ignore, clock = systemClock } = options;
  await using stack = new AsyncDisposableStack();
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  const address = parseListen(settings.listen, LABEL.setting);
  const host = advertisedHost(settings.advertise, address);
  const now = (): number => clock.now();
  const callersClock = { now: () => clock.monotonic() };
  const authority = new ClientAuthority({ client: options.client, clock: callersClock });
  const identity = await openIdentity(options, authority, host);
  const changes = new RecentChanges();
  const agent = await ownIdentity(new Date(clock.now()));
  const captures = new Captures({ access, settings, running: options.running, agent, now, ignore });
  // Before the listener, so that it is disposed of after: calls end when their connections have.
  const server = stack.use(createServer(options, { authority, changes, captures, callersClock }, until));
  const limits = { mostConnections: settings.mostCalls * 4, setting: LABEL.setting };
  const listening = stack.use(await listenTls(identity.context, address, limits));
  listening.server.on('request', requestListener(server, ignore));
  stack.defer(access.database.subscribe((change) => changes.add(change, new Date(clock.now()))));
  const background = Promise.all([identity.follow(listening.server, until), sweepRegularly(options, captures, until)]);
  stack.defer(async () => {
    stop.abort(new Error('the agent stops'));
    await background;
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

async function openIdentity(
  options: TroubleshootingOptions,
  authority: ClientAuthority,
  host: string,
): Promise<FollowedIdentity> {
  const { settings, ignore, logger, clock = systemClock } = options;
  const names = [...new Set([host, hostname(), 'localhost', '127.0.0.1'])];
  const now = (): number => clock.now();
  const own = { directory: settings.stateDirectory, commonName: options.object.name, names, now, ignore };
  const onChange = (): void => options.onAnnotations?.();
  return await FollowedIdentity.open({ files: settings, own, label: LABEL, authority, clock, logger, onChange });
}

interface ServerParts {
  readonly authority: ClientAuthority;
  readonly changes: RecentChanges;
  readonly captures: Captures;
  readonly callersClock: { now(): number };
}

function createServer(options: TroubleshootingOptions, parts: ServerParts, signal: AbortSignal): CallServer {
  const { settings, access, client, object, logger, metrics } = options;
  const { authority, changes, captures, callersClock: clock } = parts;
  const reviews = new TokenReviews({ client, audience: () => settings.audience });
  const calls = metrics.counter({
    name: 'smalt_ovs_troubleshooting_calls_total',
    help: 'Calls of the troubleshooting API by route and status.',
    labelNames: ['route', 'status'],
  });
  const running = metrics.gauge({ name: 'smalt_ovs_captures', help: 'Captures that run.' });
  metrics.onCollect(() => running.cell([]).set(captures.running.size));
  return new CallServer({
    routes: createRoutes({ access, changes, captures, most: settings }),
    authenticator: new KubernetesAuthenticator({ reviews, authority, clock }),
    access: new AccessReviews({ client, clock }),
    object,
    mostCalls: settings.mostCalls,
    requestsPerSecond: settings.requestsPerSecond,
    timeoutMs: settings.timeoutMs,
    clock,
    logger,
    count: (route, status) => calls.cell([route, String(status)]).add(),
    signal,
  });
}

/** Looks at once and then now and then for mirrors that nobody needs. It ends with the signal, and never rejects. */
async function sweepRegularly(
  { access, logger, ignore, clock = systemClock }: TroubleshootingOptions,
  { running, agent }: Captures,
  signal: AbortSignal,
): Promise<void> {
  const { database } = access;
  const deps = { database, running, agent, now: () => clock.now(), logger };
  while (!signal.aborted) {
    try {
      await sweepCaptures(deps, signal);
      await clock.wait(SWEEP_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      ignore(error, `mirrors of old captures are looked for again later: ${messageOf(error)}`);
      await clock.wait(SWEEP_MS, signal).catch(() => undefined);
    }
  }
}
