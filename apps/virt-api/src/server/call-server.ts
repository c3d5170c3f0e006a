import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

import { isJsonObject, JsonError, parseJson, printJson, type JsonObject, type JsonValue } from '@smalt/json';
import type { AccessReviews, ReviewedUser } from '@smalt/kubernetes-callers';
import type { Status } from '@smalt/kubernetes';
import type { Logger } from '@smalt/service-runtime';

import { readBody } from '../read-body.ts';
import { statusOfError } from '../status-of-error.ts';
import { findSubresource, neededRight, readUrl, type SubresourceRequest } from '../subresources/find-subresource.ts';
import { refusal, statusOf, type VirtApiError } from '../virt-api-error.ts';
import type { VirtApiParts } from '../virt-api-parts.ts';
import { answerReview } from '../webhooks/answer-review.ts';
import { readAdmissionReview } from '../webhooks/read-admission-review.ts';
import { WEBHOOK_ENDPOINTS, type WebhookEndpoint } from '../webhooks/webhook-endpoints.ts';
import type { FrontProxyAuthority } from './front-proxy-authority.ts';
import { frontProxyUser, isFrontProxy } from './front-proxy-user.ts';
import { openDocument } from './open-document.ts';

export interface CallServerDeps extends VirtApiParts {
  readonly frontProxy: Pick<FrontProxyAuthority, 'get'>;
  readonly access: Pick<AccessReviews, 'may'>;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

interface Answer {
  readonly code: number;
  readonly body?: JsonValue | undefined;
}

/** An object, its old form and the words around them: three times what the API server takes for one. */
const MOST_REVIEW_BYTES = 10 * 1024 * 1024;
const MOST_BODY_BYTES = 3 * 1024 * 1024;
const MOST_TEXT = 200;

/** Answers the API server: reviews of writes, documents of the API, and requests that it passes on. */
export class CallServer {
  readonly #deps: CallServerDeps;

  constructor(deps: CallServerDeps) {
    this.#deps = deps;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    // What is short anyway may finish while we stop.
    const answer = await this.#answer(request, gone.signal).catch((error: unknown) => this.#failure(request, error));
    if (response.destroyed) return;
    const text = answer.body === undefined ? '' : printJson(answer.body);
    const type = answer.body === undefined ? {} : { 'content-type': 'application/json' };
    // What is left of a body that was too long is not waited for.
    const close = request.readableEnded ? {} : { connection: 'close' };
    response.writeHead(answer.code, { ...type, ...close, 'content-length': Buffer.byteLength(text) });
    response.end(request.method === 'HEAD' ? undefined : text);
  }

  /** Joins a client with a guest. Resolves when that is over. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    socket.on('error', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, this.#deps.stopping]);
    let isStarted = false;
    const started = (code: number): void => {
      isStarted = true;
      this.#deps.metrics.countCall(asked.route.name, code);
    };
    let asked: SubresourceRequest;
    try {
      asked = findSubresource(readUrl(request.method ?? 'GET', request.url ?? '/'));
      await this.#admit(request, asked, signal);
      await this.#deps.subresources.stream(asked, { headers: request.headers, socket, head, signal, started });
    } catch (error) {
      const { code, body } = this.#failure(request, error);
      if (isStarted) socket.destroy();
      else refuseOn(socket, code, printJson(body ?? {}));
    }
  }

  async #answer(request: IncomingMessage, signal: AbortSignal): Promise<Answer> {
    const { method = 'GET', url = '/' } = request;
    const asked = readUrl(method, url);
    const endpoint = WEBHOOK_ENDPOINTS.find(({ path }) => path === asked.path);
    if (endpoint !== undefined) return await this.#review(request, endpoint, signal);
    const document = method === 'GET' || method === 'HEAD' ? openDocument(asked.path) : undefined;
    if (document !== undefined) return { code: 200, body: document };
    const found = findSubresource(asked);
    await this.#admit(request, found, signal);
    return await this.#call(request, found, signal);
  }

  async #review(request: IncomingMessage, endpoint: WebhookEndpoint, signal: AbortSignal): Promise<Answer> {
    if (request.method !== 'POST') throw refusal(statusOf(405, `${endpoint.path} takes POST`));
    // Only what is done on a review's word needs a proof; API servers show certificates to webhooks only if told so.
    const isProven = endpoint.hasSideEffects === true && (await this.#isFromServer(request));
    const review = readReview(await readBody(request, MOST_REVIEW_BYTES, signal));
    const received = readAdmissionReview(review, isProven);
    return { code: 200, body: await answerReview(this.#deps, endpoint, received, signal) };
  }

  async #isFromServer({ socket }: IncomingMessage): Promise<boolean> {
    // Whoever shows no certificate is not worth a question to the cluster.
    if (!(socket instanceof TLSSocket) || !socket.authorized) return false;
    return isFrontProxy(socket, await this.#deps.frontProxy.get());
  }

  async #call(request: IncomingMessage, found: SubresourceRequest, signal: AbortSignal): Promise<Answer> {
    const { subresources, metrics } = this.#deps;
    try {
      const body = await readBody(request, MOST_BODY_BYTES, signal);
      const answer = await subresources.call({ request: found, body, signal });
      metrics.countCall(found.route.name, answer.code);
      return answer;
    } catch (error) {
      metrics.countCall(found.route.name, statusOfError(error)?.code ?? 500);
      throw error;
    }
  }

  /** Lets those pass who may. The API server asked already, but whoever reaches us need not have come that way. */
  async #admit(request: IncomingMessage, found: SubresourceRequest, signal: AbortSignal): Promise<void> {
    const right = neededRight(found);
    if (right === undefined) return;
    const user = await this.#userOf(request);
    if (user === undefined) throw unauthorized();
    if (await this.#deps.access.may(user, right, signal)) return;
    const what = `${right.resource}${right.subresource === undefined ? '' : `/${right.subresource}`}.${right.group}`;
    const where =
      found.namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(found.namespace)}`;
    const message = `${what} is forbidden: User ${JSON.stringify(user.name)} cannot ${right.verb} it ${where}`;
    throw refusal(statusOf(403, message));
  }

  async #userOf(request: IncomingMessage): Promise<ReviewedUser | undefined> {
    if (!(request.socket instanceof TLSSocket)) return undefined;
    return frontProxyUser(request.socket, request.headersDistinct, await this.#deps.frontProxy.get());
  }

  #failure(request: IncomingMessage, error: unknown): Answer {
    const status = statusOfError(error);
    if (status !== undefined) return { code: status.code, body: plain(status) };
    const path = (request.url ?? '').slice(0, MOST_TEXT);
    if (!this.#deps.stopping.aborted) this.#deps.logger.error({ error, path }, 'a request failed');
    return { code: 500, body: plain(statusOf(500, 'Internal error occurred: see the log of virt-api')) };
  }
}

function readReview(body: Buffer): JsonObject {
  try {
    const value = parseJson(body.toString('utf8'));
    if (isJsonObject(value)) return value;
    throw refusal(statusOf(400, 'this is no AdmissionReview: it is no object'));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw refusal(statusOf(400, `this is no AdmissionReview: ${error.message}`), { cause: error });
  }
}

function unauthorized(): VirtApiError {
  const message = 'requests are taken from the API server alone: ask it, at /apis/subresources.kubevirt.io';
  return refusal(statusOf(401, message));
}

function refuseOn(socket: Duplex, code: number, body: string): void {
  const head = [
    `HTTP/1.1 ${code} Refused`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  // What the client still sends is thrown away.
  socket.resume();
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function plain(status: Status): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a Status is JSON through and through
  return status as unknown as JsonValue;
}
