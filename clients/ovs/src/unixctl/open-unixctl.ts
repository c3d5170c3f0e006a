import type { JsonValue } from '@smalt/json';

import { type Clock, systemClock } from '../connection/clock.ts';
import { connectSocket } from '../connection/connect-socket.ts';
import { JsonRpcConnection } from '../connection/json-rpc-connection.ts';
import type { OvsWarning } from '../connection/ovs-warning.ts';
import { withDeadline } from '../connection/with-deadline.ts';
import { isOvsError, OvsError } from '../ovs-error.ts';
import type { RequestOptions, Unixctl } from './unixctl.ts';

export interface UnixctlOptions {
  /** The path of the control socket, as `findDaemon` tells it. */
  readonly socket: string;
  /** How long one command may take, connecting included; 5 s unless said. */
  readonly requestTimeoutMs?: number;
  /** The largest reply that is read; 16 MiB unless said. */
  readonly maxReplyBytes?: number;
  readonly clock?: Clock;
  readonly onWarning?: (warning: OvsWarning) => void;
}

const REQUEST_TIMEOUT_MS = 5000;
const MAX_REPLY_BYTES = 16 * 1024 * 1024;
const COMMAND = /^[a-z0-9][a-z0-9_./-]*$/i;

/** Opens the control socket of a daemon. It connects at once; a failure shows in the first command. */
export function openUnixctl(options: UnixctlOptions): Unixctl {
  return new ControlConnection(options);
}

class ControlConnection implements Unixctl {
  readonly socket: string;
  readonly #clock: Clock;
  readonly #requestTimeoutMs: number;
  readonly #connected: Promise<JsonRpcConnection>;
  #end: OvsError | undefined;

  constructor(options: UnixctlOptions) {
    this.socket = options.socket;
    this.#clock = options.clock ?? systemClock;
    this.#requestTimeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
    this.#connected = this.#connect(options);
    // Nobody may ever run a command; who does is told.
    this.#connected.catch(() => undefined);
  }

  get isClosed(): boolean {
    return this.#end !== undefined;
  }

  async run(command: string, parameters: readonly string[] = [], options: RequestOptions = {}): Promise<string> {
    checkCommand(command, parameters);
    if (this.#end !== undefined) throw this.#end;
    const { signal, timeoutMs = this.#requestTimeoutMs } = options;
    const started = this.#clock.now();
    const deadline = { clock: this.#clock, timeoutMs, signal, what: `no connection to ${this.socket}` };
    let connection: JsonRpcConnection | undefined;
    try {
      connection = await withDeadline(this.#connected, deadline);
      const leftMs = Math.max(0, timeoutMs - (this.#clock.now() - started));
      return textOf(await connection.call(command, parameters, { signal, timeoutMs: leftMs }), command);
    } catch (error) {
      // Commands are run one after the other: behind one that hangs all others would.
      if (isOvsError(error, 'timeout')) await this.#close(error);
      if (connection === undefined || !isOvsError(error, 'unreachable')) throw error;
      this.#end ??= lost(error);
      throw this.#end;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close(new OvsError('closed', `the connection to ${this.socket} was closed`));
  }

  async #connect(options: UnixctlOptions): Promise<JsonRpcConnection> {
    const endpoint = { kind: 'unix', path: options.socket } as const;
    try {
      const socket = await connectSocket(endpoint, { timeoutMs: this.#requestTimeoutMs, clock: this.#clock });
      const connection = new JsonRpcConnection(socket, {
        remote: options.socket,
        clock: this.#clock,
        requestTimeoutMs: this.#requestTimeoutMs,
        maxMessageBytes: options.maxReplyBytes ?? MAX_REPLY_BYTES,
        onNotification: () =>
          connection.close(new OvsError('protocol', `${options.socket} sent what nobody asked for`)),
        onHeard: () => undefined,
        onWarning: (warning) => options.onWarning?.(warning),
      });
      void this.#followEnd(connection);
      return connection;
    } catch (error) {
      if (isOvsError(error)) this.#end ??= error;
      throw error;
    }
  }

  async #close(reason: OvsError): Promise<void> {
    this.#end ??= reason;
    const [settled] = await Promise.allSettled([this.#connected]);
    if (settled.status === 'fulfilled') settled.value.close(reason);
  }

  async #followEnd(connection: JsonRpcConnection): Promise<void> {
    const reason = await connection.closed;
    this.#end ??= isOvsError(reason, 'unreachable') ? lost(reason) : reason;
  }
}

/** The connection was there: to be refused one, and to lose it, are two things. */
function lost(reason: OvsError): OvsError {
  return new OvsError('closed', reason.message, { cause: reason });
}

function textOf(result: JsonValue, command: string): string {
  if (typeof result === 'string') return result.replaceAll('\r\n', '\n');
  throw new OvsError('protocol', `${command} was answered with something that is no text`);
}

function checkCommand(command: string, parameters: readonly string[]): void {
  if (!COMMAND.test(command)) throw new OvsError('invalid-argument', `${JSON.stringify(command)} is no command`);
  const index = parameters.findIndex((parameter) => parameter.includes('\0'));
  if (index !== -1) throw new OvsError('invalid-argument', `parameter ${index} of ${command} has a zero byte in it`);
}
