import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { acceptWebSocket, isWebSocketError } from '@smalt/websocket';

import type { ConsoleContext } from './console-context.ts';
import { ConsoleError, isConsoleError } from './console-error.ts';
import { refuseUpgrade } from './http/answer-upgrade.ts';
import { checkSource } from './http/check-source.ts';
import { readTarget } from './http/request-target.ts';
import { routeOf, type Route } from './http/route.ts';
import { sendRefusal } from './http/send-json.ts';
import { LiveConnection } from './live/live-connection.ts';
import { CHANGES_PATH, openChanges } from './live/open-changes.ts';
import { forwardRequest, type ForwardedRequest } from './proxy/forward-request.ts';
import { forwardUpgrade } from './proxy/forward-upgrade.ts';
import { consoleRefusal } from './proxy/high-availability.ts';
import { decideFraming } from './proxy/request-framing.ts';
import { userClient } from './session/reviewed-user.ts';
import { enter, serveSession } from './session/session-routes.ts';
import { sessionSpan } from './session/session-span.ts';
import type { Session } from './session/session.ts';
import { openSwitch } from './switches/open-switch.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const STREAMS = '/apis/subresources.kubevirt.io/';

/** A request whose path and origin have been checked. */
interface CheckedCall {
  readonly path: string;
  readonly search: string;
  readonly route: Route;
  readonly isSecure: boolean;
}

/** Answers all that browsers ask. */
export class ConsoleCalls {
  readonly #context: ConsoleContext;

  constructor(context: ConsoleContext) {
    this.#context = context;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let route = 'none';
    response.once('close', () => this.#context.metrics.requests.cell([route, String(response.statusCode)]).add());
    try {
      const call = this.#check(request, false);
      route = call.route.kind;
      await this.#answer(call, request, response);
    } catch (error) {
      if (response.headersSent || response.destroyed) throw error;
      this.#tell(error, request);
      // What was not read of a refused body would be taken for the next request.
      sendRefusal(response, error, { isForPerson: isNavigation(request), isLast: !request.complete });
    }
  }

  /** Answers a request for a WebSocket. Rejects when the connection is lost. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const call = this.#check(request, true);
      const session = this.#context.sessions.require(request);
      if (call.route.kind === 'live') return await this.#serveLive(session, { request, socket, head });
      if (call.route.kind === 'api') return await this.#tunnel(call, session, { request, socket, head });
      throw new ConsoleError('not-found', `${call.path} is no WebSocket`);
    } catch (error) {
      if (isWebSocketError(error, 'connection', 'closed', 'protocol')) throw error;
      this.#tell(error, request);
      refuseUpgrade(socket, asRefusal(error));
    }
  }

  #check(request: IncomingMessage, isUpgrade: boolean): CheckedCall {
    const { method = '', headers, url } = request;
    if (!METHODS.includes(method)) throw new ConsoleError('wrong-method', `${method} is not answered here`);
    if (isUpgrade) checkUpgrade(method, headers);
    const own = this.#context.origins();
    const origin = own.originOf(headers.host);
    if (origin === undefined) {
      const message = `this console is not ${JSON.stringify(headers.host ?? '')}: name that origin in its settings`;
      throw new ConsoleError('misdirected', message, { field: 'Host' });
    }
    const target = readTarget(url);
    const route = routeOf(target.path);
    checkSource({ method, headers, isUpgrade, route: route.kind }, own);
    return { ...target, route, isSecure: origin.startsWith('https:') };
  }

  async #answer(call: CheckedCall, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const context = this.#context;
    const { route } = call;
    const sessionCall = { request, response, search: call.search, isSecure: call.isSecure };
    switch (route.kind) {
      case 'enter':
        return await enter(context, sessionCall);
      case 'session':
        return await serveSession(context, sessionCall);
      case 'live':
        throw new ConsoleError('bad-request', '/live is a WebSocket');
      case 'api':
      case 'high-availability':
      case 'switches':
        return await this.#forward(call, request, response);
      case 'pages':
        requireRead(request);
        return await context.pages.serve(call.path, request, response);
    }
  }

  async #forward(call: CheckedCall, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sessions, calls, streams, stopping, limits } = this.#context;
    const session = sessions.require(request);
    using _count = calls.begin(session.id);
    using _stream = isStream(call) ? streams.begin(session.token) : undefined;
    using span = sessionSpan(this.#context, session);
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the browser has gone')));
    const signal = AbortSignal.any([gone.signal, span.over, stopping]);
    const { mostBodyBytes } = limits;
    try {
      const target = await this.#target(call, session, signal);
      using _own = target.own;
      await forwardRequest({ request, response, mostBodyBytes, ...target }, signal);
    } catch (error) {
      if (gone.signal.aborted) return;
      if (span.over.aborted)
        throw new ConsoleError('signed-out', 'the session is over: sign in again', { cause: error });
      if (stopping.aborted) throw new ConsoleError('unavailable', 'the console stops: try again', { cause: error });
      throw error;
    }
  }

  async #target({ route, path, search }: CheckedCall, session: Session, signal: AbortSignal): Promise<Target> {
    const { upstream, highAvailability, users, changes } = this.#context;
    if (route.kind === 'switches') {
      const found = await openSwitch(this.#context, session.token, route.call, signal);
      return { ...found, path: found.path + search, own: found.upstream };
    }
    if (route.kind !== 'high-availability') {
      return { upstream, path: path + search, credentials: { authorization: `Bearer ${session.token}` } };
    }
    if (highAvailability === undefined) {
      throw new ConsoleError(
        'not-found',
        'there is no HA service behind this console: name its address in the settings',
      );
    }
    const user = await users.of(session);
    const credentials = await highAvailability.credentials(user);
    const own = route.path === CHANGES_PATH ? changes.begin(user.name) : undefined;
    const { upstream: service } = highAvailability;
    return { upstream: service, path: route.path + search, credentials, refuse: consoleRefusal, own };
  }

  async #tunnel({ path, search }: CheckedCall, session: Session, upgraded: Upgraded): Promise<void> {
    const { calls, stopping, upstream, metrics } = this.#context;
    using _count = calls.begin(session.id);
    using span = sessionSpan(this.#context, session);
    const credentials = { authorization: `Bearer ${session.token}` };
    const signal = AbortSignal.any([span.over, stopping]);
    metrics.tunnels.add(1);
    try {
      await forwardUpgrade({ ...upgraded, upstream, path: path + search, credentials }, signal);
    } finally {
      metrics.tunnels.add(-1);
    }
  }

  async #serveLive(session: Session, { request, socket, head }: Upgraded): Promise<void> {
    const { lives, checks, clock, stopping, apiServer, metrics, limits, logger } = this.#context;
    using _count = lives.begin(session.id);
    using span = sessionSpan(this.#context, session);
    await using client = userClient(apiServer, session.token);
    const stream = acceptWebSocket({ request, socket, head, protocols: [] });
    const live = new LiveConnection(
      {
        client,
        openChanges: openChanges(this.#context, session),
        clock,
        random: Math.random,
        limits,
        signedOut: span.over,
        stopping,
        onFollows: (change) => metrics.follows.add(change),
        onDropped: () => metrics.dropped.add(),
        onUserUnknown: () => checks.hasten(session),
        onFault: (error) => logger.error({ error }, 'a follow ended by a fault'),
      },
      stream,
    );
    metrics.lives.add(1);
    try {
      await live.serve();
    } finally {
      metrics.lives.add(-1);
    }
  }

  #tell(error: unknown, { method, url }: IncomingMessage): void {
    const { logger, stopping } = this.#context;
    if (stopping.aborted) return;
    // The query is left out: it may hold the code of a link.
    const fields = { method, path: url?.split('?')[0], error };
    if (isConsoleError(error)) logger.debug(fields, 'a request was refused');
    else logger.error(fields, 'a request failed');
  }
}

interface Upgraded {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

type Target = Pick<ForwardedRequest, 'upstream' | 'path' | 'credentials' | 'refuse'> & {
  /** What is disposed of after the call. */
  readonly own?: Disposable | undefined;
};

/** Whether it is answered for as long as somebody listens, by a node that has places for few. */
function isStream({ route, path }: CheckedCall): boolean {
  return route.kind === 'api' && path.startsWith(STREAMS) && /\/(?:logs|usage)\/?$/.test(path);
}

/** Whether a person sees the answer, and not a script. */
function isNavigation({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-mode'] === 'navigate';
}

function requireRead({ method = '' }: IncomingMessage): void {
  if (method === 'GET' || method === 'HEAD') return;
  throw new ConsoleError('wrong-method', `${method} is not for pages`);
}

/** What would follow the head of any other request is of another protocol here: there is no body. */
function checkUpgrade(method: string, headers: IncomingHttpHeaders): void {
  if (method !== 'GET') throw new ConsoleError('wrong-method', `a WebSocket is asked for by GET, not by ${method}`);
  decideFraming(method, headers);
}

function asRefusal(error: unknown): unknown {
  if (!isWebSocketError(error, 'bad-handshake')) return error;
  return new ConsoleError('bad-request', error.message, { cause: error });
}
