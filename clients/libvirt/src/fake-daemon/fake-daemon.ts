import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

import { XdrReader, type XdrWriter } from '@smalt/xdr';

import { procedures } from '../generated/procedures.gen.ts';
import { FrameSplitter } from '../rpc/frame-splitter.ts';
import {
  keepaliveProgram,
  LENGTH_BYTES,
  messageStatus,
  messageType,
  readHeader,
  type MessageHeader,
} from '../rpc/message.ts';
import { buildMessage, errorPayload, type MessageParts } from './build-message.ts';

/** One message of the client, and the ways to answer it. */
export interface FakeCall {
  readonly header: MessageHeader;
  readonly payload: Buffer;
  readonly socket: Socket;
  /** Answers as a daemon would, except for what `parts` changes. */
  reply(parts?: MessageParts): void;
  fail(code: number, message: string): void;
}

export interface FakeDaemonOptions {
  /** Whether the calls that open and close a connection are answered without the handler. Default true. */
  readonly opensByItself?: boolean;
  /** Listens on a unix socket there. Default: on a free port of 127.0.0.1. */
  readonly socketPath?: string;
}

export type FakeHandler = (call: FakeCall) => void;

/**
 * Speaks the daemon's side of the protocol over a real socket, for what no real daemon can be brought to do. It opens
 * connections and answers pings by itself; everything else is the handler's.
 */
export class FakeDaemon implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #handler: FakeHandler;
  readonly #opensByItself: boolean;
  /** How many pings came in. */
  pings = 0;
  answersPings = true;

  private constructor(server: Server, handler: FakeHandler, options: FakeDaemonOptions) {
    this.#server = server;
    this.#handler = handler;
    this.#opensByItself = options.opensByItself ?? true;
    server.on('connection', (socket) => this.#accept(socket));
  }

  static async listen(handler: FakeHandler = () => undefined, options: FakeDaemonOptions = {}): Promise<FakeDaemon> {
    const { socketPath } = options;
    const where = socketPath === undefined ? { port: 0, host: '127.0.0.1' } : { path: socketPath };
    const server = createServer({ noDelay: true }).listen(where);
    await once(server, 'listening');
    return new FakeDaemon(server, handler, options);
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  get uri(): string {
    return `test+tcp://127.0.0.1:${this.port}/default`;
  }

  /** The client's side of these sockets is what is being tested. */
  get sockets(): readonly Socket[] {
    return [...this.#sockets];
  }

  /** Sends bytes to every client. */
  send(bytes: Uint8Array): void {
    for (const socket of this.#sockets) socket.write(bytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    const splitter = new FrameSplitter((bytes, start, end) => {
      const reader = new XdrReader(bytes, start + LENGTH_BYTES, end);
      this.#receive(socket, readHeader(reader), reader.rest());
    });
    socket.on('data', (chunk: Buffer) => splitter.push(chunk));
    // A client that is torn down in the middle of a test is what most of these tests are about.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #receive(socket: Socket, header: MessageHeader, payload: Buffer): void {
    if (header.program === keepaliveProgram) {
      this.#answerPing(socket, header);
      return;
    }
    const call: FakeCall = {
      header,
      payload,
      socket,
      reply: (parts) => void socket.write(buildMessage({ ...header, type: messageType.reply, ...parts })),
      fail: (code, message) => call.reply({ status: messageStatus.error, payload: errorPayload(code, message) }),
    };
    const opening =
      this.#opensByItself && header.type === messageType.call ? openingReply(header.procedure) : undefined;
    if (opening === undefined) this.#handler(call);
    else call.reply({ payload: opening });
  }

  #answerPing(socket: Socket, header: MessageHeader): void {
    this.pings++;
    if (this.answersPings) socket.write(buildMessage({ ...header, procedure: header.procedure + 1 }));
  }
}

/** The answers that bring a connection up and down. */
function openingReply(procedure: number): ((writer: XdrWriter) => void) | undefined {
  switch (procedure) {
    case procedures.authList.number:
      return (writer) => {
        writer.arrayLength(1);
        writer.int32(0);
      };
    case procedures.connectSupportsFeature.number:
      return (writer) => writer.int32(1);
    case procedures.connectOpen.number:
    case procedures.connectClose.number:
      return () => undefined;
    default:
      return undefined;
  }
}
