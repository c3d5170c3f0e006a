import type { DBusMessage } from '@smalt/dbus';

import { isSystemdError, SystemdError } from '../systemd-error.ts';
import type { BusCall, BusConnection } from './bus-connection.ts';
import type { BusKeeper } from './bus-keeper.ts';

/** How long a call waits for a bus that is known to be away: enough for one that is being restarted. */
const AWAY_MS = 1_000;

/** Calls over whatever connection there is, each with a time limit that includes connecting. */
export class Bus {
  readonly keeper: BusKeeper;
  readonly #callTimeoutMs: number;

  constructor(keeper: BusKeeper, callTimeoutMs: number) {
    this.keeper = keeper;
    this.#callTimeoutMs = callTimeoutMs;
  }

  /** Calls a method and gives the answer. While the bus is away it waits for it, but not for long. */
  async call(call: BusCall, signal: AbortSignal): Promise<DBusMessage> {
    return this.within(call.member, signal, async (limited) => {
      const connection = await this.keeper.connectedSoon(AWAY_MS, limited);
      return connection.call(call, limited);
    });
  }

  /** The connection for several calls that belong together, within the time limit of one. */
  async connection(what: string, signal: AbortSignal): Promise<BusConnection> {
    return this.within(what, signal, (limited) => this.keeper.connectedSoon(AWAY_MS, limited));
  }

  /** Does something that has to be over within the time limit of a call. */
  async within<Result>(
    what: string,
    signal: AbortSignal,
    act: (limited: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const timeout = AbortSignal.timeout(this.#callTimeoutMs);
    try {
      return await act(AbortSignal.any([signal, timeout]));
    } catch (error) {
      if (signal.aborted || !timeout.aborted || !isSystemdError(error, 'aborted')) throw error;
      throw (
        this.keeper.lastError ??
        new SystemdError('timeout', `${what} took longer than ${this.#callTimeoutMs} ms`, { cause: error })
      );
    }
  }
}
