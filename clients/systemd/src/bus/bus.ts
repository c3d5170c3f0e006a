import type { DBusMessage } from '@smalt/dbus';

import { isSystemdError, SystemdError } from '../systemd-error.ts';
import type { BusCall } from './bus-connection.ts';
import type { BusKeeper } from './bus-keeper.ts';

/** Calls over whatever connection there is, each with a time limit that includes connecting. */
export class Bus {
  readonly keeper: BusKeeper;
  readonly #callTimeoutMs: number;

  constructor(keeper: BusKeeper, callTimeoutMs: number) {
    this.keeper = keeper;
    this.#callTimeoutMs = callTimeoutMs;
  }

  /** Calls a method and gives the answer; while the bus is away it waits for it, no longer than the time limit. */
  async call(call: BusCall, signal: AbortSignal): Promise<DBusMessage> {
    return this.within(call.member, signal, async (limited) => {
      const connection = await this.keeper.connected(limited);
      return connection.call(call, limited);
    });
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
