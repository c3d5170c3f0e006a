import type { JsonValue } from '@smalt/json';

import { connectSocket } from '../../connection/connect-socket.ts';
import { JsonRpcConnection } from '../../connection/json-rpc-connection.ts';
import { Liveness } from '../../connection/liveness.ts';
import { type OvsEndpoint, printEndpoint } from '../../connection/parse-remote.ts';
import { OvsError } from '../../ovs-error.ts';
import { readSchema } from '../values/read-schema.ts';
import type { OvsdbSchema } from '../values/ovsdb-schema.ts';
import type { OvsdbSettings } from './ovsdb-settings.ts';

/** Who learns what happens on a link. */
export interface LinkListener {
  readonly onNotification: (method: string, params: readonly JsonValue[]) => void;
  /** Nothing was answered to what was asked at `since`. */
  readonly onSilent: (since: number, why: string) => void;
  readonly onHeardAgain: () => void;
}

/** One connection to one server, watched from its first moment on. */
export class OvsdbLink implements Disposable {
  readonly remote: string;
  readonly connection: JsonRpcConnection;
  readonly #liveness: Liveness;

  private constructor(remote: string, connection: JsonRpcConnection, liveness: Liveness) {
    this.remote = remote;
    this.connection = connection;
    this.#liveness = liveness;
  }

  static async open(
    endpoint: OvsEndpoint,
    settings: OvsdbSettings,
    listener: LinkListener,
    signal: AbortSignal,
  ): Promise<OvsdbLink> {
    const { clock, tls, requestTimeoutMs, maxMessageBytes, onWarning, liveness: limits } = settings;
    const remote = printEndpoint(endpoint);
    const socket = await connectSocket(endpoint, { timeoutMs: requestTimeoutMs, signal, tls, clock });
    const connection = new JsonRpcConnection(socket, {
      remote,
      clock,
      requestTimeoutMs,
      maxMessageBytes,
      onNotification: listener.onNotification,
      onWarning,
      onHeard: () => liveness.heard(),
    });
    const liveness = new Liveness({
      clock,
      limits,
      ask: () => askForEcho(connection),
      onSilent: (since) => listener.onSilent(since, `${remote} answers nothing`),
      onHeardAgain: listener.onHeardAgain,
      onDead: () => connection.close(new OvsError('timeout', `${remote} answered nothing for too long`)),
    });
    return new OvsdbLink(remote, connection, liveness);
  }

  async readSchema(database: string): Promise<OvsdbSchema> {
    return readSchema(await this.connection.call('get_schema', [database]));
  }

  [Symbol.dispose](): void {
    this.#liveness[Symbol.dispose]();
    this.connection.close();
  }
}

function askForEcho(connection: JsonRpcConnection): void {
  // What comes of it is seen by the liveness watch, or is the end of the connection, which tells itself.
  connection.call('echo', [], { timeoutMs: Infinity }).catch(() => undefined);
}
