import type { Socket } from 'node:net';

import {
  decodeMessage,
  encodeMessage,
  isDBusError,
  MessageSplitter,
  type DBusMessage,
  type DBusValue,
} from '@smalt/dbus';

import { isSystemdError, SystemdError } from '../systemd-error.ts';
import { authenticate } from './authenticate.ts';
import { connectSocket } from './connect-socket.ts';
import { remoteError } from './remote-error.ts';

/** Enough for the states of a thousand units; a bus would allow 128 MiB. */
const MAX_MESSAGE_BYTES = 4 * 2 ** 20;
const MAX_PENDING_CALLS = 1024;
const MAX_UNSENT_BYTES = 4 * 2 ** 20;
const MAX_SERIAL = 0xffff_ffff;

/** A method call. */
export interface BusCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string | undefined;
  readonly body?: readonly DBusValue[] | undefined;
}

export type SignalHandler = (message: DBusMessage) => void;

/** The bus itself, which is a service too. */
export const BUS: { readonly destination: string; readonly path: string; readonly interface: string } = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
};

/** One connection to the bus, from its first word to its end. A peer that sends what is no D-Bus ends it. */
export class BusConnection {
  readonly #socket: Socket;
  readonly #splitter: MessageSplitter = new MessageSplitter(MAX_MESSAGE_BYTES);
  readonly #pending: Map<number, PromiseWithResolvers<DBusMessage>> = new Map();
  readonly #handlers: Set<SignalHandler> = new Set();
  readonly #endHandlers: Set<() => void> = new Set();
  #reason: SystemdError | undefined;
  #serial = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Connects, authenticates and says hello. The signal ends that, and nothing later. */
  static async open(path: string, signal: AbortSignal): Promise<BusConnection> {
    const socket = await connectSocket(path, signal);
    const connection = new BusConnection(socket);
    socket.on('error', (cause) => connection.end(new SystemdError('bus-lost', `The bus: ${cause.message}`, { cause })));
    socket.on('close', () => connection.end(new SystemdError('bus-lost', 'The bus closed the connection')));
    const onAbort = (): void =>
      connection.end(new SystemdError('aborted', 'Connecting to the bus was given up', { cause: signal.reason }));
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const rest = await authenticate(socket, process.getuid?.() ?? 0);
      socket.on('data', (chunk: Buffer) => connection.#receive(chunk));
      connection.#receive(rest);
      await connection.call({ ...BUS, member: 'Hello' }, signal);
      return connection;
    } catch (error) {
      connection.end(new SystemdError('bus-lost', 'The bus did not let us in', { cause: error }));
      throw isSystemdError(connection.#reason, 'aborted') ? connection.#reason : error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Why it ended; nothing while it lives. */
  get reason(): SystemdError | undefined {
    return this.#reason;
  }

  /** Calls a method and gives the answer. The service may carry it out even if the signal fires. */
  async call(call: BusCall, signal: AbortSignal): Promise<DBusMessage> {
    if (this.#reason) throw this.#reason;
    if (signal.aborted) throw givenUp(call, signal);
    const serial = this.#nextSerial();
    const bytes = encode(call, serial);
    if (this.#pending.size >= MAX_PENDING_CALLS || this.#socket.writableLength + bytes.length > MAX_UNSENT_BYTES) {
      throw new SystemdError('queue-full', `${call.member}: too many calls wait for the bus; nothing was sent`);
    }
    const answer = Promise.withResolvers<DBusMessage>();
    const onAbort = (): void => answer.reject(givenUp(call, signal));
    signal.addEventListener('abort', onAbort, { once: true });
    this.#pending.set(serial, answer);
    this.#socket.write(bytes);
    try {
      return await answer.promise;
    } finally {
      this.#pending.delete(serial);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Calls a method whose answer nobody needs; does nothing on a connection that has ended. */
  tell(call: BusCall): void {
    if (!this.#reason) this.#socket.write(encode(call, this.#nextSerial(), true));
  }

  /** Calls back for every signal that arrives, until the result is called. */
  onSignal(handler: SignalHandler): () => void {
    this.#handlers.add(handler);
    return () => void this.#handlers.delete(handler);
  }

  /** Calls back once when the connection has ended, unless the result is called before. */
  onEnd(handler: () => void): () => void {
    this.#endHandlers.add(handler);
    return () => void this.#endHandlers.delete(handler);
  }

  /** Ends the connection; what waits for an answer fails with the reason. */
  end(reason: SystemdError): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#socket.destroy();
    for (const answer of this.#pending.values()) answer.reject(reason);
    this.#pending.clear();
    this.#handlers.clear();
    for (const handler of this.#endHandlers) handler();
    this.#endHandlers.clear();
  }

  #receive(chunk: Buffer): void {
    try {
      for (const bytes of this.#splitter.push(chunk)) {
        const message = decodeMessage(bytes);
        if (message) this.#dispatch(message);
        if (this.#reason) return;
      }
    } catch (cause) {
      // A bus checks every message before it passes it on, so this is no bus, and where the next one begins is unknown.
      if (!isDBusError(cause)) throw cause;
      this.end(new SystemdError('bad-answer', `The bus sent what is no D-Bus: ${cause.message}`, { cause }));
    }
  }

  #dispatch(message: DBusMessage): void {
    if (message.kind === 'signal') {
      for (const handler of this.#handlers) handler(message);
      return;
    }
    // Calls to us are left without an answer: we offer nothing, and said so by owning no name.
    if (message.kind === 'call') return;
    const answer = this.#pending.get(message.replySerial ?? 0);
    if (message.kind === 'return') answer?.resolve(message);
    else answer?.reject(remoteError(message));
  }

  /** Serials may be used again after 2³² calls, but not while one waits for its answer. */
  #nextSerial(): number {
    do this.#serial = this.#serial >= MAX_SERIAL ? 1 : this.#serial + 1;
    while (this.#pending.has(this.#serial));
    return this.#serial;
  }
}

function encode(call: BusCall, serial: number, noReply: boolean = false): Buffer {
  try {
    return encodeMessage({ kind: 'call', serial, noReply, ...call });
  } catch (cause) {
    if (!isDBusError(cause)) throw cause;
    throw new SystemdError('invalid-argument', `${call.member}: ${cause.message}`, { cause });
  }
}

function givenUp({ member }: BusCall, signal: AbortSignal): SystemdError {
  return new SystemdError('aborted', `${member} was given up`, { cause: signal.reason });
}
