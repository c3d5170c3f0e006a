import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { isJsonObject, JsonError, parseJson, type JsonObject } from '@smalt/json';

import { requestedVersion } from './api-version.ts';
import type { CallLog } from './call-log.ts';
import { errorAnswer, noRouteAnswer } from './error-answer.ts';
import type { FaultEffect, Faults } from './faults.ts';
import type { IdentityBooks, Session } from './identity/identity-books.ts';
import { unauthorized } from './identity/keystone-routes.ts';
import type { Answer } from './router.ts';
import { findService, type Found, type ServiceDirectory } from './service-directory.ts';
import { isSimulatorError, refusal } from './simulator-error.ts';
import type { Timers } from './timers.ts';

/** Largest body that Nova takes. */
const MOST_BODY = 114_688;
/** A connection that closes while a client sends would look like a fault of the cloud. */
const KEEP_ALIVE_MS = 600_000;

export interface FrontOptions {
  readonly directory: ServiceDirectory;
  readonly identity: IdentityBooks;
  readonly faults: Faults;
  readonly calls: CallLog;
  readonly timers: Timers;
  readonly latencyMs: number;
}

interface Incoming {
  readonly request: IncomingMessage;
  readonly found: Found;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly requestId: string;
  readonly areCellsAway?: boolean;
}

/** The door of a cloud: all its services, on one address of loopback. */
export class Front implements AsyncDisposable {
  latencyMs: number;
  readonly #options: FrontOptions;
  readonly #server: Server;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.latencyMs = options.latencyMs;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS;
  }

  /** Begins to listen, and gives the address. */
  async open(port: number): Promise<string> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#respond(request, response);
    } catch (error) {
      // The client is gone, or the simulator has a fault: either way there is nobody else to tell.
      response.destroy(error instanceof Error ? error : undefined);
    }
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now();
    const url = new URL(request.url ?? '/', 'http://cloud');
    const method = request.method ?? 'GET';
    const found = findService(url.pathname);
    const body = method === 'GET' ? '' : await text(request);
    const incoming = { request, found, query: url.searchParams, body, requestId: `req-${randomUUID()}` };
    if (this.latencyMs > 0) await delay(this.latencyMs);
    const { service, path } = found;
    const effect = this.#options.faults.strike({ service, method, path, body });
    const answer = this.#answer(incoming, effect);
    const log = (status: number): void =>
      this.#options.calls.add({ service, method, path, query: url.search.slice(1), body, status, at });
    if (answer === 'none') {
      log(0);
      if (effect?.kind === 'drop') response.destroy();
      return;
    }
    log(answer.status);
    this.#send(incoming, answer, response);
  }

  #answer(incoming: Incoming, effect: FaultEffect | undefined): Answer | 'none' {
    switch (effect?.kind) {
      case undefined:
        return this.#carryOut(incoming);
      case 'page-twice': {
        const query = new URLSearchParams(incoming.query);
        query.delete('marker');
        return this.#carryOut({ ...incoming, query });
      }
      case 'cells-away':
        return this.#carryOut({ ...incoming, areCellsAway: true });
      case 'hang':
      case 'drop':
        if (effect.when === 'after') this.#carryOut(incoming);
        return 'none';
      case 'late':
        this.#options.timers.after(effect.afterMs, () => void this.#carryOut(incoming));
        return 'none';
      case 'answer':
        if (effect.when === 'after') this.#carryOut(incoming);
        return faultAnswer(effect, incoming);
    }
  }

  #carryOut(incoming: Incoming): Answer {
    const { found, requestId } = incoming;
    try {
      return this.#handle(incoming);
    } catch (error) {
      if (!isSimulatorError(error)) {
        const message = `The simulator failed: ${error instanceof Error ? error.stack : String(error)}`;
        return errorAnswer(found.service, { httpStatus: 500, message, faultCode: undefined }, requestId);
      }
      const answer = errorAnswer(found.service, error, requestId);
      return error.httpStatus === 401 ? { ...answer, headers: { 'WWW-Authenticate': 'Keystone uri="/"' } } : answer;
    }
  }

  #handle({ request, found, query, body, areCellsAway = false }: Incoming): Answer {
    const { directory, identity } = this.#options;
    const method = request.method ?? 'GET';
    const { service, path } = found;
    const document = directory.versionDocument(found, method);
    if (document !== undefined) return document;
    const entry = directory.entry(service);
    const isLogin = service === 'identity' && method === 'POST';
    const session = isLogin ? NOBODY : sessionOf(identity, request);
    const route = entry?.router.find(method, path);
    if (entry === undefined || route === undefined) return noRouteAnswer();
    if (body.length > MOST_BODY) throw refusal(413, 'Request is too large.');
    const version = entry.versions === undefined ? 0 : requestedVersion(service, entry.versions, request.headers);
    directory.checkPolicy(found, session);
    const baseUrl = directory.endpoints()[entry.name];
    const asked = { method, path, ids: route.ids, query, body: readBody(body) };
    return route.handle({ ...asked, version, session, baseUrl, areCellsAway });
  }

  #send({ found, request, requestId }: Incoming, answer: Answer, response: ServerResponse): void {
    const content = answer.text ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body));
    const headers: Record<string, string | number> = {
      'X-Openstack-Request-Id': requestId,
      ...versionHeaders(found.service, request),
      ...(content !== undefined && { 'Content-Type': 'application/json' }),
      ...answer.headers,
    };
    if (answer.status !== 204) headers['Content-Length'] = content === undefined ? 0 : Buffer.byteLength(content);
    response.writeHead(answer.status, headers);
    response.end(content);
  }
}

const NOBODY: Session = {
  user: { id: '', name: '', roles: [] },
  project: { id: '', name: '', domain: { id: '', name: '' } },
  expiresAt: 0,
};

function sessionOf(identity: IdentityBooks, { headers }: IncomingMessage): Session {
  const token = headers['x-auth-token'];
  const session = typeof token === 'string' ? identity.session(token) : undefined;
  if (session === undefined) throw unauthorized();
  return session;
}

function readBody(body: string): JsonObject {
  if (body === '') return {};
  try {
    const value = parseJson(body);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  throw refusal(400, 'Malformed request body');
}

function faultAnswer(effect: Extract<FaultEffect, { kind: 'answer' }>, { found, requestId }: Incoming): Answer {
  const message = effect.message ?? 'An injected fault.';
  const answer = errorAnswer(found.service, { httpStatus: effect.status, message, faultCode: undefined }, requestId);
  if (effect.retryAfterSeconds === undefined) return answer;
  return { ...answer, headers: { 'Retry-After': String(effect.retryAfterSeconds) } };
}

function versionHeaders(service: string, { headers }: IncomingMessage): Record<string, string> {
  const asked = headers['openstack-api-version'];
  if (service === 'placement') {
    return {
      'Openstack-Api-Version': typeof asked === 'string' ? asked : 'placement 1.0',
      Vary: 'openstack-api-version',
    };
  }
  if (service !== 'compute') return {};
  const own = headers['x-openstack-nova-api-version'];
  const version = typeof asked === 'string' ? asked.replace('compute ', '') : typeof own === 'string' ? own : '2.1';
  return {
    'Openstack-Api-Version': `compute ${version}`,
    'X-Openstack-Nova-Api-Version': version,
    Vary: 'X-OpenStack-Nova-API-Version',
  };
}
