import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import {
  CallersError,
  RateLimit,
  type AccessReviews,
  type KubernetesAuthenticator,
  type ReviewedUser,
} from '@smalt/kubernetes-callers';
import type { Logger } from '@smalt/service-runtime';

import { isOvsAgentError, OvsAgentError } from '../../ovs-agent-error.ts';
import type { Route } from './call.ts';
import { findRoute } from './find-route.ts';
import { problemOf } from './problem.ts';
import { readBody } from './read-body.ts';
import { sendReply, type ReplyEnd } from './send-reply.ts';

export interface CallServerDeps {
  readonly routes: readonly Route[];
  readonly authenticator: Pick<KubernetesAuthenticator, 'authenticate'>;
  readonly access: Pick<AccessReviews, 'may'>;
  /** The OVSNode that calls are about. */
  readonly object: { readonly namespace: string; readonly name: string };
  readonly mostCalls: number;
  readonly requestsPerSecond: number;
  readonly timeoutMs: number;
  readonly clock: { now(): number };
  readonly logger: Logger;
  readonly count: (route: string, status: number) => void;
  /** Fires when the agent stops. */
  readonly signal: AbortSignal;
}

interface Exchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly signal: AbortSignal;
  /** Set once they are known, for the audit. */
  caller?: string;
  route?: Route;
}

const BASE = 'https://agent';
/** Where a request goes whose target is no address, such as `//`: nothing is found there. */
const NOWHERE = '/no-address';

const BREAK_OFF_MS = 5_000;

/** Answers requests: who asks, whether they may, what they want; each leaves a line that tells of it. */
export class CallServer implements AsyncDisposable {
  readonly #deps: CallServerDeps;
  readonly #addresses: RateLimit;
  readonly #callers: RateLimit;
  readonly #underWay = new Set<Promise<void>>();

  constructor(deps: CallServerDeps) {
    this.#deps = deps;
    this.#addresses = new RateLimit(deps.clock);
    this.#callers = new RateLimit(deps.clock);
  }

  /** Never rejects: whatever goes wrong is answered, or ends the connection. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = this.#handle(request, response);
    this.#underWay.add(call);
    try {
      await call;
    } finally {
      this.#underWay.delete(call);
    }
  }

  /** Resolves when no call is under way any more, and nothing of one is left. The signal has to fire before. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = randomUUID();
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the caller went away')));
    response.setHeader('x-request-id', id).setHeader('cache-control', 'no-store');
    const url = URL.parse(request.url ?? '/', BASE) ?? new URL(NOWHERE, BASE);
    const signal = AbortSignal.any([this.#deps.signal, gone.signal]);
    const exchange: Exchange = { id, request, response, url, signal };
    const startedAt = this.#deps.clock.now();
    try {
      const end = await this.#answer(exchange);
      this.#audit(exchange, { status: response.statusCode, startedAt, end });
    } catch (error) {
      this.#refuse(exchange, error, startedAt);
    }
  }

  async #answer(exchange: Exchange): Promise<ReplyEnd> {
    const { request, response, url } = exchange;
    const { timeoutMs, mostCalls, routes, requestsPerSecond } = this.#deps;
    const address = request.socket.remoteAddress ?? 'unknown';
    this.#requireRoom(this.#addresses, address, requestsPerSecond * 2);
    if (this.#underWay.size >= mostCalls) throw tooMany(`${mostCalls} calls are under way`);
    const soon = AbortSignal.any([exchange.signal, AbortSignal.timeout(timeoutMs)]);
    const user = await this.#deps.authenticator.authenticate(request, soon);
    exchange.caller = user.name;
    this.#requireRoom(this.#callers, user.name, requestsPerSecond);
    const found = findRoute(routes, request.method ?? '', url.pathname);
    if (found.kind !== 'found') throw noRoute(exchange, found.kind === 'wrong-method' ? found.methods : []);
    const { route, parameters } = found;
    exchange.route = route;
    await this.#authorize(user, route, soon);
    const body = await readBody(request);
    const signal = route.isLong ? exchange.signal : soon;
    const wantsText =
      url.searchParams.get('format') === 'text' || request.headers.accept?.startsWith('text/plain') === true;
    const call = { caller: user.name, parameters, query: url.searchParams, body, wantsText, signal };
    const { reply, resources } = await route.handle(call);
    await using _resources = resources;
    return await sendReply(response, reply, signal);
  }

  async #authorize(user: ReviewedUser, { access }: Route, signal: AbortSignal): Promise<void> {
    if (access === undefined) return;
    const { object } = this.#deps;
    const attributes = { group: 'ovs.c5c3.io', resource: 'ovsnodes', ...access, ...object };
    if (await this.#deps.access.may(user, attributes, signal)) return;
    const what = `${access.verb} ovsnodes/${access.subresource} of ovs.c5c3.io, for ${object.name} in ${object.namespace}`;
    throw new CallersError('forbidden', `${user.name} may not ${what}: ask for a role that allows it`);
  }

  #requireRoom(limit: RateLimit, who: string, perSecond: number): void {
    if (!limit.take(who, perSecond)) throw tooMany(`${who} sends more than ${perSecond} requests in a second`);
  }

  #refuse(exchange: Exchange, error: unknown, startedAt: number): void {
    const { id, request, response, signal } = exchange;
    const problem = problemOf(error, id);
    const isGone = signal.aborted || (response.headersSent && !isOvsAgentError(error));
    const status = isGone ? 499 : problem.status;
    this.#audit(exchange, { status, startedAt, end: { detail: isGone ? String(error) : problem.detail } });
    if (problem.status === 500) this.#deps.logger.error({ requestId: id, error }, 'a troubleshooting call failed');
    // Part of an answer is sent: only the end of the connection says that the rest does not come.
    if (isGone) return void response.destroy();
    if (response.headersSent) return breakOff(response);
    if (problem.status === 401) response.setHeader('www-authenticate', 'Bearer');
    if (problem.status === 429 || problem.status === 503) response.setHeader('retry-after', '2');
    // What is left of the body is not read.
    if (!request.complete) response.setHeader('connection', 'close');
    response.writeHead(problem.status, { 'content-type': 'application/problem+json' });
    response.end(`${JSON.stringify(problem)}\n`);
  }

  #audit(
    { id, request, route, caller, url }: Exchange,
    { status, startedAt, end }: { readonly status: number; readonly startedAt: number; readonly end: ReplyEnd },
  ): void {
    const { logger, clock, count } = this.#deps;
    count(route?.path ?? 'none', status);
    const fields = {
      requestId: id,
      caller: caller ?? 'unknown',
      from: request.socket.remoteAddress,
      call: `${request.method} ${url.pathname}`,
      access: route?.access,
      status,
      durationMs: Math.round(clock.now() - startedAt),
      ...end,
    };
    // Whom nobody knows could fill the log.
    if (caller === undefined) logger.debug(fields, 'a troubleshooting call of a stranger');
    else logger.info(fields, 'a troubleshooting call');
  }
}

/** Ends the connection once all that was sent so far is taken, or is not for a while. */
function breakOff({ socket }: ServerResponse): void {
  // Without a listener the server ends a connection that reaches it.
  socket?.setTimeout(BREAK_OFF_MS);
  socket?.destroySoon();
}

function tooMany(why: string): OvsAgentError {
  return new OvsAgentError('too-many-requests', `${why}: wait a moment`);
}

function noRoute({ request, url }: Exchange, methods: readonly string[]): OvsAgentError {
  const only = methods.length === 0 ? '' : ` (only ${methods.join(', ')})`;
  return new OvsAgentError('not-found', `there is no ${request.method} ${url.pathname}${only}: see /openapi.json`);
}
