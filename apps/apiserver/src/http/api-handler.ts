import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Logger } from '@smalt/service-runtime';

import {
  badRequestError,
  internalServerError,
  serviceUnavailableError,
  timeoutError,
  tooManyRequestsError,
} from '../errors/make-status-error.ts';
import { isStatusError, type StatusError } from '../errors/status-error.ts';
import type { User } from '../identity/user.ts';
import type { ApiHandlerSteps, Incoming, Outcome } from './api-steps.ts';
import { auditIdOf } from './audit-id.ts';
import { BACKUP_PATH } from './backup-path.ts';
import { Exchange, type RawRequest, type RawResponse } from './exchange.ts';
import { parseRequestInfo, type RequestInfo } from './request-info.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { sendStatus } from './respond.ts';
import { serveUpgrade } from './serve-upgrade.ts';
import { UserShares } from './user-shares.ts';

export interface ApiHandlerOptions {
  readonly steps: ApiHandlerSteps;
  readonly metrics: RequestMetrics;
  readonly log: Logger;
  readonly maxInFlight: number;
  readonly requestTimeoutMs: number;
}

const HEALTH = /^\/(healthz|livez|readyz)(\/|$)/;
const TOO_MANY = 'Too many requests, please try again later.';
const READING_VERBS: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head']);
const STREAMING_SUBRESOURCES: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

/** Takes every request from its first byte to its answer. Whatever goes wrong, the client gets a Status and the server goes on. */
export class ApiHandler {
  readonly #options: ApiHandlerOptions;
  readonly #running = new Set<AbortController>();
  readonly #shares: UserShares;
  #isStopping = false;

  constructor(options: ApiHandlerOptions) {
    this.#options = options;
    this.#shares = new UserShares(options.maxInFlight);
  }

  handle(request: RawRequest, response: RawResponse): void {
    const controller = new AbortController();
    const auditId = auditIdOf(request.headers);
    const exchange = new Exchange(request, response, auditId, controller.signal);
    // Once the request was answered nobody listens any more.
    response.once('close', () => {
      if (this.#running.has(controller)) controller.abort(new Error('the client has gone away'));
    });
    // A broken connection shows up as the end of what is being read or written; the event itself says nothing more.
    response.on('error', () => controller.abort());
    this.#running.add(controller);
    void this.#run(exchange, auditId, controller).finally(() => this.#running.delete(controller));
  }

  /** Takes a request that wants to go on in another protocol on its connection. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const controller = new AbortController();
    socket.once('close', () => controller.abort(new Error('the client has gone away')));
    socket.on('error', () => controller.abort());
    this.#running.add(controller);
    const serving = { ...this.#options, isStopping: this.#isStopping };
    const call = { request, socket, head, signal: controller.signal };
    void serveUpgrade(serving, call).finally(() => this.#running.delete(controller));
  }

  /** Ends watches and other streams; requests that are short anyway are left to finish. */
  stop(): void {
    this.#isStopping = true;
    for (const controller of this.#running) controller.abort(new Error('the server is stopping'));
  }

  async #run(exchange: Exchange, auditId: string, controller: AbortController): Promise<void> {
    const info = parseRequestInfo(exchange.method, exchange.url);
    if (info === undefined)
      return sendStatus(exchange, badRequestError('the path of the request cannot be read').status);
    const { metrics, maxInFlight } = this.#options;
    const isStream = isLongRunning(info);
    if (this.#isStopping && isStream) controller.abort();
    if (!isStream && metrics.inFlight >= maxInFlight && !HEALTH.test(info.path)) return refuseForNow(exchange);
    const isReading = READING_VERBS.has(info.verb);
    if (isStream) return this.#answer({ exchange, info, auditId });
    const timer = setTimeout(() => controller.abort(timedOut()), this.#options.requestTimeoutMs);
    metrics.begin(isReading);
    try {
      await this.#answer({ exchange, info, auditId });
    } finally {
      metrics.end(isReading);
      clearTimeout(timer);
    }
  }

  async #answer(incoming: Incoming): Promise<void> {
    const { steps, metrics } = this.#options;
    const { exchange, info } = incoming;
    const startedAt = performance.now();
    const state: Outcome = {
      requester: undefined,
      receivedAt: Date.now(),
      decision: undefined,
      failure: undefined,
      isPanic: false,
    };
    const outcome = await this.#serve(incoming, state);
    const durationSeconds = (performance.now() - startedAt) / 1000;
    const isKnown = info.isResourceRequest && steps.isKnown(info);
    metrics.count({ info, isKnown, code: exchange.code, durationSeconds });
    steps.finished(incoming, outcome);
  }

  async #serve(incoming: Incoming, initial: Outcome): Promise<Outcome> {
    const { steps } = this.#options;
    let outcome = initial;
    try {
      const { request, headers, connection: socket } = incoming.exchange;
      const requester = steps.authenticate({ headers, rawHeaders: request.rawHeaders, socket });
      outcome = { ...outcome, requester };
      using _share = this.#takeShare(requester.user, incoming.info);
      const { actingAs } = requester;
      const decision = steps.authorize(actingAs, incoming.info);
      outcome = { ...outcome, decision };
      if (!decision.allowed) throw steps.forbid(actingAs, incoming.info, decision);
      if (isLongRunning(incoming.info)) steps.started(incoming, outcome);
      await steps.serve(actingAs, incoming);
      return outcome;
    } catch (error) {
      return { ...outcome, ...this.#answerError(incoming.exchange, incoming.info, error) };
    }
  }

  #takeShare(user: User, info: RequestInfo): Disposable | undefined {
    if (isLongRunning(info) || HEALTH.test(info.path)) return undefined;
    const release = this.#shares.take(user);
    if (release === undefined) throw tooManyRequestsError(TOO_MANY, 1);
    return { [Symbol.dispose]: release };
  }

  #answerError(exchange: Exchange, info: RequestInfo, error: unknown): Pick<Outcome, 'failure' | 'isPanic'> {
    const refusal = statusOf(exchange, error);
    if (refusal === undefined && !isGivenUp(exchange))
      this.#options.log.error({ error, verb: info.verb, path: info.path }, 'a request failed');
    const { status } = refusal ?? (this.#isStopping && isGivenUp(exchange) ? stopping() : panicked(info));
    if (exchange.isAnswered) exchange.response.destroy();
    else {
      if (exchange.signal.aborted) exchange.closeWhenSent();
      sendStatus(exchange, status);
    }
    return { failure: status, isPanic: refusal === undefined && !isGivenUp(exchange) };
  }
}

function statusOf(exchange: Exchange, error: unknown): StatusError | undefined {
  if (isStatusError(error)) return error;
  // What was waited for was given up: the reason says why.
  const reason: unknown = exchange.signal.aborted ? exchange.signal.reason : undefined;
  return isStatusError(reason) ? reason : undefined;
}

// The client went away or the server stops; what was being done for it fails then, and that is no fault.
function isGivenUp({ signal }: Exchange): boolean {
  return signal.aborted && !isStatusError(signal.reason);
}

function panicked(info: RequestInfo): StatusError {
  return internalServerError(`apiserver panic'd on ${info.verb} ${info.path}`);
}

function stopping(): StatusError {
  return serviceUnavailableError('apiserver is shutting down');
}

function timedOut(): StatusError {
  return timeoutError('request did not complete within the allotted timeout', 0);
}

function refuseForNow(exchange: Exchange): void {
  exchange.setHeader('Retry-After', '1');
  exchange.send(429, 'text/plain; charset=utf-8', `${TOO_MANY}\n`);
}

function isLongRunning(info: RequestInfo): boolean {
  if (!info.isResourceRequest) return info.path === BACKUP_PATH;
  return info.verb === 'watch' || STREAMING_SUBRESOURCES.has(info.subresource);
}
