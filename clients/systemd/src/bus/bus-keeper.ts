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

/** A connection that held for so long was good; one that was lost sooner counts like an attempt that failed. */
const STABLE_MS = 5_000;

/**
 * The connection to the bus, made when somebody wants it and made anew when it was lost, as long as somebody waits for
 * it. Attempts are shared, and the pauses between them grow.
 */
export class BusKeeper implements AsyncDisposable {
  readonly #options: BusKeeperOptions;
  readonly #ending: AbortController = new AbortController();
  #connection: BusConnection | undefined;
  #connectedAt = 0;
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

  /**
   * The connection, for somebody who has better things to do than to wait: fails after `patienceMs` with the reason why
   * there is none, if that is known by then.
   */
  async connectedSoon(patienceMs: number, signal: AbortSignal): Promise<BusConnection> {
    if (this.#connection && !this.#connection.reason) return this.#connection;
    const patience = AbortSignal.timeout(patienceMs);
    try {
      return await this.connected(AbortSignal.any([signal, patience]));
    } catch (error) {
      if (signal.aborted || !patience.aborted || !isSystemdError(error, 'aborted')) throw error;
      if (this.#lastError) throw this.#lastError;
    }
    // The first attempt is still under way: a bus that is slow is not one that is away.
    return this.connected(signal);
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
    this.#judgeLast();
    if (this.#failures > 0) {
      await pause(backOffDelayMs(this.#failures, this.#options.backOff, this.#options.random()), this.#ending.signal);
    }
    const timeout = AbortSignal.timeout(this.#options.connectTimeoutMs);
    try {
      const connection = await BusConnection.open(this.#options.path, AbortSignal.any([timeout, this.#ending.signal]));
      this.#lastError = undefined;
      this.#connection = connection;
      this.#connectedAt = performance.now();
      return connection;
    } catch (error) {
      this.#failures += 1;
      this.#lastError = timeout.aborted ? silent(error) : toSystemdError(error);
      throw this.#lastError;
    }
  }

  /** A bus that lets everybody in and hangs up at once would else be called without a pause, for ever. */
  #judgeLast(): void {
    if (this.#connection === undefined) return;
    this.#connection = undefined;
    this.#failures = performance.now() - this.#connectedAt >= STABLE_MS ? 0 : this.#failures + 1;
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
