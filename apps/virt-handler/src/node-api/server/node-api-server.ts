import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Status } from '@smalt/kubernetes';
import type { Logger } from '@smalt/service-runtime';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import { answerQuestion } from '../guest/answer-question.ts';
import type { Freezes } from '../guest/freezes.ts';
import { runAction } from '../guest/run-action.ts';
import type { StreamServer } from '../streams/stream-server.ts';
import { Admission, type Admitted, type AdmissionDeps, type AskedSoFar } from './admit-request.ts';
import { failureStatus } from './failure-status.ts';
import type { NodeOperation } from './node-operation.ts';
import { readJsonBody } from './read-json-body.ts';

export interface NodeApiServerDeps extends AdmissionDeps {
  readonly streams: StreamServer;
  readonly freezes: Freezes;
  readonly mostCalls: number;
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly count: (subresource: string, status: number) => void;
  /** Fires when the handler stops. */
  readonly signal: AbortSignal;
}

interface Exchange extends AskedSoFar {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly startedAt: number;
}

const OK = 200;
const SWITCHING = 101;

/** Answers requests and opens streams; each leaves a line that says who did what. */
export class NodeApiServer implements AsyncDisposable {
  readonly #deps: NodeApiServerDeps;
  readonly #admission: Admission;
  readonly #underWay = new Set<Promise<void>>();

  constructor(deps: NodeApiServerDeps) {
    this.#deps = deps;
    this.#admission = new Admission(deps);
  }

  /** Never rejects: whatever goes wrong is answered, or ends the connection. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the caller went away')));
    const exchange = this.#begin(request);
    await this.#follow(async () => {
      try {
        const answer = await this.#answer(exchange, AbortSignal.any([this.#deps.signal, gone.signal]));
        response.writeHead(OK, { 'content-type': 'application/json', 'cache-control': 'no-store' });
        response.end(`${JSON.stringify(answer)}\n`);
        this.#audit(exchange, OK, {});
      } catch (error) {
        const status = this.#refusal(exchange, error);
        if (gone.signal.aborted) return void response.destroy();
        // What is left of the body is not read.
        if (!request.complete) response.setHeader('connection', 'close');
        response.writeHead(status.code, headersOf(status));
        response.end(`${JSON.stringify(status)}\n`);
      }
    });
  }

  /** Never rejects: a stream that cannot be opened is answered, and what ends an open one is told by how it closes. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Uint8Array): Promise<void> {
    const gone = new AbortController();
    socket.once('close', () => gone.abort(new Error('the caller went away')));
    socket.on('error', () => undefined);
    const exchange = this.#begin(request);
    await this.#follow(async () => {
      try {
        const signal = AbortSignal.any([this.#deps.signal, gone.signal]);
        const admitted = await this.#admit(exchange, this.#soon(signal));
        const end = await this.#deps.streams.serve(admitted, { request, socket, head }, this.#soon(signal));
        this.#audit(exchange, SWITCHING, { end: end.kind, ...('reason' in end ? { reason: end.reason } : {}) });
      } catch (error) {
        refuseUpgrade(socket, this.#refusal(exchange, error));
      }
    });
  }

  /** Resolves when no call and no stream is under way any more. The signal has to fire before. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async #answer(exchange: Exchange, signal: AbortSignal): Promise<unknown> {
    const { mostCalls, timeoutMs, freezes } = this.#deps;
    if (this.#underWay.size > mostCalls)
      throw new VirtHandlerError('too-many-requests', `${mostCalls} calls are under way`);
    const soon = this.#soon(signal);
    const admitted = await this.#admit(exchange, soon);
    const options = { signal: soon, timeoutMs };
    if (admitted.kind === 'telemetry') throw notAnUpgrade(admitted.operation.subresource);
    const { operation, running } = admitted;
    switch (operation.kind) {
      case 'stream':
        throw notAnUpgrade(operation.subresource);
      case 'question':
        return await answerQuestion(operation.subresource, running, options);
      case 'action':
        await runAction(
          freezes,
          { action: operation.subresource, running, body: await readJsonBody(exchange.request) },
          options,
        );
        return {};
    }
  }

  async #admit(exchange: Exchange, signal: AbortSignal): Promise<Admitted> {
    return await this.#admission.admit(exchange.request, exchange, signal);
  }

  #soon(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, AbortSignal.timeout(this.#deps.timeoutMs)]);
  }

  #begin(request: IncomingMessage): Exchange {
    return { id: randomUUID(), request, startedAt: this.#deps.clock.now() };
  }

  async #follow(work: () => Promise<void>): Promise<void> {
    const call = work();
    this.#underWay.add(call);
    try {
      await call;
    } finally {
      this.#underWay.delete(call);
    }
  }

  #refusal(exchange: Exchange, error: unknown): Status {
    const status = failureStatus(error, exchange.id);
    if (status.code === 500)
      this.#deps.logger.error({ requestId: exchange.id, error }, 'a call of the node API failed');
    this.#audit(exchange, status.code, { reason: status.message });
    return status;
  }

  #audit({ id, request, caller, operation, startedAt }: Exchange, status: number, end: object): void {
    const { logger, clock, count } = this.#deps;
    count(operation?.subresource ?? 'none', status);
    const fields = {
      requestId: id,
      caller: caller ?? 'unknown',
      from: request.socket.remoteAddress,
      resource: operation === undefined ? undefined : nameOf(operation),
      step: operation?.subresource,
      status,
      durationMs: Math.round(clock.now() - startedAt),
      ...end,
    };
    // Whom nobody knows could fill the log.
    if (caller === undefined) logger.debug(fields, 'a call of a stranger to the node API');
    else logger.info(fields, 'a call to the node API');
  }
}

function nameOf({ resource, namespace, name }: NodeOperation): string {
  return resource === 'nodes' ? `nodes/${name}` : `${namespace}/${name}`;
}

function notAnUpgrade(subresource: string): VirtHandlerError {
  return new VirtHandlerError('bad-request', `${subresource} is a WebSocket: ask for an upgrade`);
}

function headersOf({ code, details }: Status): Record<string, string> {
  return {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...(code === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(details?.retryAfterSeconds === undefined ? {} : { 'retry-after': String(details.retryAfterSeconds) }),
  };
}

function refuseUpgrade(socket: Duplex, status: Status): void {
  const body = `${JSON.stringify(status)}\n`;
  const headers = { ...headersOf(status), 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const first = `HTTP/1.1 ${status.code} ${STATUS_CODES[status.code] ?? 'Error'}\r\n`;
  socket.resume();
  socket.end(`${first}${lines.join('')}\r\n${body}`, () => socket.destroy());
}
