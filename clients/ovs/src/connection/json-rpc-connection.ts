import type { Socket } from 'node:net';

import { isJsonObject, jsonField, type JsonValue, printJson } from '@smalt/json';
import { isJsonRpcError, JsonFramer, type JsonRpcMessage, printMessage, readMessage } from '@smalt/json-rpc';

import { OvsError } from '../ovs-error.ts';
import type { Clock } from './clock.ts';
import type { OvsWarning } from './ovs-warning.ts';
import { withDeadline } from './with-deadline.ts';

/** The limits of a connection, and who learns what comes unasked. */
export interface JsonRpcOptions {
  /** Who is on the other side, for messages. */
  readonly remote: string;
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
  readonly maxMessageBytes: number;
  readonly onNotification: (method: string, params: readonly JsonValue[]) => void;
  /** Some bytes came, whatever they are. */
  readonly onHeard: () => void;
  readonly onWarning: (warning: OvsWarning) => void;
}

/** How long an answer may take, and who may end the waiting. */
export interface JsonRpcCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

const MAX_DEPTH = 100;
const MAX_PENDING = 1024;
/** A server that reads nothing makes us hold what we write; nothing sensible is as long as this. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;

/** One connection that speaks JSON-RPC 1.0: requests at any time, answers in any order, the server's echo answered. */
export class JsonRpcConnection implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #options: JsonRpcOptions;
  readonly #framer: JsonFramer;
  readonly #pending = new Map<number, PromiseWithResolvers<JsonValue>>();
  readonly #closed = Promise.withResolvers<OvsError>();
  #lastId = 0;
  #end: OvsError | undefined;

  constructor(socket: Socket, options: JsonRpcOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#framer = new JsonFramer({ maxBytes: options.maxMessageBytes, maxDepth: MAX_DEPTH });
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (cause) => this.#finish(lost(options.remote, cause)));
    socket.on('close', () => this.#finish(lost(options.remote)));
    if (socket.destroyed) this.#finish(lost(options.remote));
  }

  /** Resolves when the connection has ended, with the reason. */
  get closed(): Promise<OvsError> {
    return this.#closed.promise;
  }

  /** Asks, and gives the result. An error that is answered is a `refused`. */
  async call(method: string, params: readonly JsonValue[], options: JsonRpcCallOptions = {}): Promise<JsonValue> {
    const { remote, clock, requestTimeoutMs } = this.#options;
    const { signal, timeoutMs = requestTimeoutMs } = options;
    if (this.#end !== undefined) throw this.#end;
    if (signal?.aborted === true) throw new OvsError('aborted', `${method}: not sent`, { cause: signal.reason });
    if (this.#pending.size >= MAX_PENDING) {
      throw new OvsError('queue-full', `${MAX_PENDING} requests to ${remote} wait for an answer already`);
    }
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<JsonValue>();
    this.#pending.set(id, answer);
    try {
      this.#send({ kind: 'request', id, method, params });
      return await withDeadline(answer.promise, {
        clock,
        timeoutMs,
        signal,
        what: `no answer from ${remote} to ${method}`,
      });
    } finally {
      this.#pending.delete(id);
    }
  }

  /** Ends the connection, for this reason if one is given. Harmless when it has ended. */
  close(reason: OvsError = new OvsError('closed', `the connection to ${this.#options.remote} was closed`)): void {
    this.#finish(reason);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.#closed.promise;
  }

  #receive(chunk: Buffer): void {
    if (this.#end !== undefined) return;
    this.#options.onHeard();
    try {
      this.#framer.push(chunk, (text) => this.#dispatch(readMessage(text)));
    } catch (cause) {
      this.#finish(unusable(this.#options.remote, cause));
    }
  }

  #dispatch(message: JsonRpcMessage): void {
    if (this.#end !== undefined) return;
    switch (message.kind) {
      case 'request':
        this.#answer(message.id, message.method, message.params);
        return;
      case 'notification':
        this.#options.onNotification(message.method, message.params);
        return;
      case 'result':
        this.#take(message.id)?.resolve(message.result);
        return;
      case 'error':
        this.#take(message.id)?.reject(new OvsError('refused', errorText(message.error)));
    }
  }

  #answer(id: JsonValue, method: string, params: readonly JsonValue[]): void {
    if (method === 'echo') this.#send({ kind: 'result', id, result: params });
    else this.#send({ kind: 'error', id, error: 'unknown method' });
  }

  #take(id: JsonValue): PromiseWithResolvers<JsonValue> | undefined {
    const pending = typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (pending !== undefined || typeof id !== 'number') return pending ?? this.#unknownId(id);
    if (!Number.isInteger(id) || id < 1 || id > this.#lastId) return this.#unknownId(id);
    const message = `${this.#options.remote} answered request ${id} after it had been given up`;
    this.#options.onWarning({ kind: 'late-reply', message });
    return undefined;
  }

  #unknownId(id: JsonValue): never {
    throw new OvsError('protocol', `it answered ${printJson(id).slice(0, 100)}, which was never asked`);
  }

  #send(message: JsonRpcMessage): void {
    this.#socket.write(printMessage(message));
    if (this.#socket.writableLength <= MAX_UNSENT_BYTES) return;
    this.#finish(new OvsError('protocol', `${this.#options.remote} does not read what is sent to it`));
  }

  #finish(reason: OvsError): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    this.#socket.destroy();
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
    this.#closed.resolve(reason);
  }
}

function lost(remote: string, cause?: Error): OvsError {
  const why = cause === undefined ? 'the other side closed it' : cause.message;
  return new OvsError('unreachable', `the connection to ${remote} was lost: ${why}`, { cause });
}

function unusable(remote: string, cause: unknown): OvsError {
  const code = isJsonRpcError(cause, 'too-large') ? 'too-large' : 'protocol';
  const why = cause instanceof Error ? cause.message : String(cause);
  return new OvsError(code, `${remote} sent something that cannot be used: ${why}`, { cause });
}

/** The text of an error as OVS sends it: plain text, or an object with `error` and `details`. */
export function errorText(error: JsonValue): string {
  if (typeof error === 'string') return error.trim();
  if (!isJsonObject(error)) return printJson(error);
  const parts = [jsonField(error, 'error'), jsonField(error, 'details')].filter((part) => typeof part === 'string');
  return parts.length === 0 ? printJson(error) : parts.join(': ');
}
