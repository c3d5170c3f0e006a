import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { isTelemetryError, parseBatch, type TelemetryBatch, type TelemetryRecord } from '@smalt/ha-telemetry';

const TIMEOUT_MS = 30_000;

/** What goes wrong with one request; `lose-answer` takes the batch, and the agent never hears of it. */
export type ReceiverFault =
  | { readonly kind: 'hang' }
  | { readonly kind: 'lose-answer' }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    };

export interface ReceiverOptions {
  /** HTTPS, and a client certificate made out to the node is asked for. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly authority: string };
  /** The bearer token that is asked for. */
  readonly token?: string;
  /** Decides the fate of each request. */
  readonly fault?: (batch: TelemetryBatch) => ReceiverFault | undefined;
}

/** The receiving end of the HA agent, which keeps its side of the contract and watches that the agent keeps its own. */
export class HaReceiver implements AsyncDisposable {
  /** What was taken: each number once, in order. */
  readonly records: TelemetryRecord[] = [];
  /** Every breach of the contract. */
  readonly complaints: string[] = [];
  /** The numbers of every batch that came, taken or not. */
  readonly batches: { readonly first: number; readonly last: number; readonly agent: string }[] = [];
  readonly #options: ReceiverOptions;
  readonly #acknowledged = new Map<string, number>();
  readonly #waiters = new Set<() => void>();
  readonly #sockets = new Set<Socket>();
  #server: ReturnType<typeof createHttpServer> | undefined;
  #port = 0;
  fault: ReceiverOptions['fault'];
  token: string | undefined;

  constructor(options: ReceiverOptions = {}) {
    this.#options = options;
    this.fault = options.fault;
    this.token = options.token;
  }

  get url(): string {
    return `${this.#options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${this.#port}`;
  }

  /** Listens, on the same port every time. */
  async start(): Promise<this> {
    const { tls } = this.#options;
    const handle = (request: IncomingMessage, response: ServerResponse): void => void this.#serve(request, response);
    const server =
      tls === undefined
        ? createHttpServer(handle)
        : createHttpsServer(
            { cert: tls.certificate, key: tls.key, ca: tls.authority, requestCert: true, rejectUnauthorized: false },
            handle,
          );
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    const address: AddressInfo | string | null = server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : 0;
    this.#server = server;
    return this;
  }

  /** Goes away, with all connections; what was taken stays known. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Waits until something is so; looked at after every request. */
  async until(isSo: () => boolean, what: string): Promise<void> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new Error(`${what} did not happen; there are ${this.#summary()}`)),
      TIMEOUT_MS,
    );
    try {
      while (!isSo()) {
        const next = Promise.withResolvers<void>();
        this.#waiters.add(next.resolve);
        await Promise.race([next.promise, late.promise]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits for a record that matches, among those that came and those to come. */
  async record<Found extends TelemetryRecord>(
    isIt: (record: TelemetryRecord) => record is Found,
    what: string,
  ): Promise<Found>;
  async record(isIt: (record: TelemetryRecord) => boolean, what: string): Promise<TelemetryRecord>;
  async record(isIt: (record: TelemetryRecord) => boolean, what: string): Promise<TelemetryRecord> {
    await this.until(() => this.records.some(isIt), what);
    const found = this.records.find(isIt);
    if (found === undefined) throw new Error(`${what} is gone`);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    try {
      this.#answer(request, response, Buffer.concat(chunks).toString('utf8'));
    } catch (error) {
      const sequence = isTelemetryError(error) ? error.sequence : undefined;
      this.complaints.push(String(error));
      send(response, 400, { error: String(error), sequence });
    }
    for (const wake of this.#waiters) wake();
    this.#waiters.clear();
  }

  #answer(request: IncomingMessage, response: ServerResponse, text: string): void {
    const batch = parseBatch(JSON.parse(text));
    const { node, epoch, agent, firstSequence: first, lastSequence: last } = batch;
    this.batches.push({ first, last, agent });
    if (request.url !== `/api/v1/nodes/${node}/telemetry`) this.complaints.push(`${node} came by ${request.url}`);
    if (!this.#isAllowed(request, node)) {
      send(response, 401, { error: 'who are you?' });
      return;
    }
    const fault = this.fault?.(batch);
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'answer') {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    this.#take(batch);
    if (fault?.kind === 'lose-answer') request.socket.destroy();
    else send(response, 200, { epoch, acknowledged: this.#acknowledged.get(epoch) });
  }

  #isAllowed(request: IncomingMessage, node: string): boolean {
    if (this.token !== undefined && request.headers.authorization !== `Bearer ${this.token}`) return false;
    if (this.#options.tls === undefined) return true;
    const { socket } = request;
    return socket instanceof TLSSocket && socket.authorized && socket.getPeerCertificate().subject.CN === node;
  }

  #take({ epoch, records, firstSequence }: TelemetryBatch): void {
    const known = this.#acknowledged.get(epoch) ?? firstSequence - 1;
    if (firstSequence > known + 1) this.complaints.push(`${known + 1} to ${firstSequence - 1} are missing`);
    const fresh = records.filter(({ sequence }) => sequence > known);
    this.records.push(...fresh);
    this.#acknowledged.set(epoch, Math.max(known, records.at(-1)?.sequence ?? known));
  }

  #summary(): string {
    const kinds = this.records.map((record) =>
      record.kind === 'lifecycle' ? `${record.event}/${record.detail}` : record.kind,
    );
    return `${kinds.join(', ') || 'no records'}; complaints: ${this.complaints.join('; ') || 'none'}`;
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
