import { isSystemdError, SystemdError } from '../systemd-error.ts';
import { backOffDelayMs, type BackOffOptions } from './back-off.ts';
import { BusConnection } from './bus-connection.ts';
import { pause } from './pause.ts';
import { whenAborted } from './when-aborted.ts';

export interface BusKeeperOptions {
  readonly path: string;
  /** How long one attempt to connect may take. */
  readonly connectTimeoutMs: number;
  readonly backOff: BackOffOptions;
  readonly random: () => number;
}

/**
 * The connection to the bus, made when somebody wants it and made anew when it was lost, as long as somebody waits for
 * it. Attempts are shared, and the pauses between them grow.
 */
export class BusKeeper implements AsyncDisposable {
  readonly #options: BusKeeperOptions;
  readonly #ending: AbortController = new AbortController();
  #connection: BusConnection | undefined;
  #attempt: Promise<BusConnection> | undefined;
  #failures = 0;
  /** Why the last attempt failed; nothing after one that did not. */
  #lastError: SystemdError | undefined;

  constructor(options: BusKeeperOptions) {
    this.#options = options;
  }

  /** Why there is no connection, if the last attempt to make one failed. */
  get lastError(): SystemdError | undefined {
    return this.#lastError;
  }

  /** The connection, once there is one. Only the signal, or the end of the keeper, ends the waiting. */
  async connected(signal: AbortSignal): Promise<BusConnection> {
    if (this.#ending.signal.aborted) throw closed();
    const aborted = whenAborted(signal, 'Waiting for the bus was given up');
    try {
      for (;;) {
        if (this.#connection && !this.#connection.reason) return this.#connection;
        await Promise.race([this.#tryOnce(), aborted.promise]);
      }
    } finally {
      aborted.stop();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.#connection?.end(closed());
    await this.#attempt?.catch(() => undefined);
  }

  /** One attempt, after the pause that is due; shared by all who wait. Fails only when the keeper ends. */
  async #tryOnce(): Promise<void> {
    this.#attempt ??= this.#open().finally(() => {
      this.#attempt = undefined;
    });
    try {
      await this.#attempt;
    } catch (error) {
      if (this.#ending.signal.aborted) throw closed();
      if (!isSystemdError(error)) throw error;
    }
  }

  async #open(): Promise<BusConnection> {
    if (this.#failures > 0) {
      await pause(backOffDelayMs(this.#failures, this.#options.backOff, this.#options.random()), this.#ending.signal);
    }
    const timeout = AbortSignal.timeout(this.#options.connectTimeoutMs);
    try {
      const connection = await BusConnection.open(this.#options.path, AbortSignal.any([timeout, this.#ending.signal]));
      this.#failures = 0;
      this.#lastError = undefined;
      this.#connection = connection;
      return connection;
    } catch (error) {
      this.#failures += 1;
      this.#lastError = timeout.aborted ? silent(error) : toSystemdError(error);
      throw this.#lastError;
    }
  }
}

function silent(cause: unknown): SystemdError {
  return new SystemdError('timeout', 'The bus lets nobody in: it is there but silent', { cause });
}

function toSystemdError(error: unknown): SystemdError {
  if (isSystemdError(error)) return error;
  return new SystemdError('bus-lost', 'The bus could not be reached', { cause: error });
}

function closed(): SystemdError {
  return new SystemdError('closed', 'The connection to systemd was closed by its owner');
}
