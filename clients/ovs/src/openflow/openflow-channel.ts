import type { Socket } from 'node:net';

import {
  encodeEchoReply,
  encodeHello,
  encodeMessage,
  encodeMultipartRequest,
  type Message,
  type MessageSplitter,
  MessageType,
  type OpenFlowVersion,
  readErrorMessage,
  readMultipartReply,
} from '@smalt/openflow';

import type { Clock } from '../connection/clock.ts';
import { withDeadline } from '../connection/with-deadline.ts';
import { isTimeout, OvsError } from '../ovs-error.ts';
import type { RequestOptions } from '../unixctl/unixctl.ts';
import { Exchange } from './exchange.ts';
import { explainBadMessage } from './explain-bad-message.ts';

export interface ChannelOptions {
  readonly socket: Socket;
  /** Holds what came after the greeting. */
  readonly splitter: MessageSplitter;
  readonly version: OpenFlowVersion;
  readonly remote: string;
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
}

/** With more than this unread, the switch is made to wait; it goes on when most of it was taken. */
const PAUSE_ABOVE_BYTES = 512 * 1024;
const RESUME_BELOW_BYTES = 128 * 1024;
const MAX_PENDING = 64;

/** Questions to a switch and their answers, paired by number. Any failure of the connection is its end. */
export class OpenFlowChannel {
  readonly #options: ChannelOptions;
  readonly #exchanges = new Map<number, Exchange>();
  #lastTransaction = 0;
  #end: OvsError | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
    const { socket, remote } = options;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (cause) => this.close(lost(remote, cause)));
    socket.on('close', () => this.close(lost(remote)));
    if (socket.destroyed) this.close(lost(remote));
    else socket.write(encodeHello([options.version]));
  }

  get isClosed(): boolean {
    return this.#end !== undefined;
  }

  /** Asks for one message, and gives its body. */
  async ask(type: number, answerType: number, options: RequestOptions = {}): Promise<Buffer> {
    const { version } = this.#options;
    const { exchange, transaction } = this.#begin(options);
    try {
      this.#options.socket.write(encodeMessage({ version, type, transaction }));
      return (await this.#next(exchange, answerType, options)).body;
    } finally {
      this.#finish(transaction);
    }
  }

  /** Asks for something that comes in parts, and gives the body of each as it is taken. */
  async *askInParts(type: number, body: Buffer, options: RequestOptions = {}): AsyncGenerator<Buffer> {
    const { version, remote } = this.#options;
    const { exchange, transaction } = this.#begin(options);
    try {
      this.#options.socket.write(encodeMultipartRequest({ version, transaction, type }, body));
      for (;;) {
        const reply = readMultipartReply(await this.#next(exchange, MessageType.multipartReply, options));
        if (reply.type !== type) throw this.#fail(`${remote} answered ${type} with ${reply.type}`);
        yield reply.body;
        if (!reply.hasMore) return;
      }
    } catch (error) {
      throw explainBadMessage(remote, error);
    } finally {
      this.#finish(transaction);
    }
  }

  /** Ends the connection, for this reason if one is given. Harmless when it has ended. */
  close(reason: OvsError = new OvsError('closed', `the connection to ${this.#options.remote} was closed`)): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    this.#options.socket.destroy();
    for (const exchange of this.#exchanges.values()) exchange.fail(reason);
    this.#exchanges.clear();
  }

  #begin({ signal }: RequestOptions): { readonly exchange: Exchange; readonly transaction: number } {
    const { remote } = this.#options;
    if (this.#end !== undefined) throw this.#end;
    if (signal?.aborted === true)
      throw new OvsError('aborted', `nothing was asked of ${remote}`, { cause: signal.reason });
    if (this.#exchanges.size >= MAX_PENDING) {
      throw new OvsError('queue-full', `${MAX_PENDING} requests to ${remote} wait for an answer already`);
    }
    const exchange = new Exchange();
    this.#lastTransaction = (this.#lastTransaction % 0xffff_ffff) + 1;
    this.#exchanges.set(this.#lastTransaction, exchange);
    return { exchange, transaction: this.#lastTransaction };
  }

  /** What still comes for it is thrown away when it comes. */
  #finish(transaction: number): void {
    this.#exchanges.delete(transaction);
    this.#resume();
  }

  async #next(exchange: Exchange, type: number, options: RequestOptions): Promise<Message> {
    const { clock, requestTimeoutMs, remote } = this.#options;
    const { signal, timeoutMs = requestTimeoutMs } = options;
    const deadline = { clock, timeoutMs, signal, what: `no answer from ${remote}` };
    for (;;) {
      try {
        await withDeadline(exchange.arrived(), deadline);
        break;
      } catch (error) {
        // While we make the switch wait, it is not the one who is late.
        if (isTimeout(error) && this.#options.socket.isPaused()) continue;
        if (isTimeout(error) && error instanceof OvsError) this.close(error);
        throw error;
      }
    }
    const message = exchange.take();
    this.#resume();
    if (message.type === MessageType.error) throw refused(remote, message);
    if (message.type !== type)
      throw this.#fail(`${remote} answered with a message of type ${message.type}, not ${type}`);
    return message;
  }

  #receive(chunk: Buffer): void {
    try {
      for (const message of this.#options.splitter.push(chunk)) this.#dispatch(message);
    } catch (error) {
      this.close(explainBadMessage(this.#options.remote, error));
    }
    if (this.#heldBytes() > PAUSE_ABOVE_BYTES) this.#options.socket.pause();
  }

  #dispatch(message: Message): void {
    if (message.type === MessageType.echoRequest) {
      this.#options.socket.write(encodeEchoReply(message));
      return;
    }
    const exchange = this.#exchanges.get(message.transaction);
    if (exchange !== undefined) {
      exchange.put(message);
      return;
    }
    // A greeting that failed is told with the number of the greeting, which is 0.
    if (message.type === MessageType.error && message.transaction === 0) throw refused(this.#options.remote, message);
    const isAnswer = message.type === MessageType.multipartReply || message.type === MessageType.echoReply;
    if (isAnswer && message.transaction > this.#lastTransaction) {
      throw new OvsError('protocol', `${this.#options.remote} answered what was never asked`);
    }
  }

  #resume(): void {
    const { socket } = this.#options;
    if (socket.isPaused() && this.#heldBytes() < RESUME_BELOW_BYTES) socket.resume();
  }

  #heldBytes(): number {
    let sum = 0;
    for (const exchange of this.#exchanges.values()) sum += exchange.heldBytes;
    return sum;
  }

  #fail(message: string): OvsError {
    const error = new OvsError('protocol', message);
    this.close(error);
    return error;
  }
}

function lost(remote: string, cause?: Error): OvsError {
  const why =
    cause === undefined ? 'ovs-vswitchd closed it; was the bridge deleted or the daemon restarted?' : cause.message;
  return new OvsError('closed', `the connection to ${remote} is gone: ${why}`, { cause });
}

function refused(remote: string, message: Message): OvsError {
  const { type, name, text } = readErrorMessage(message);
  const said = text === '' ? name : `${name} (${text})`;
  return new OvsError(type === 0 ? 'unsupported' : 'refused', `${remote} refused: ${said}`);
}
