import type { Clock } from '../clock.ts';
import { checkCloseOptions, closeTimeoutMs, type CloseOptions } from '../close-options.ts';
import { isLibvirtError, LibvirtError } from '../libvirt-error.ts';
import { backOffDelayMs, type BackOffOptions } from './back-off.ts';
import { LinkWaiters, type WaitLimits } from './link-waiters.ts';
import type { SessionState } from './session-state.ts';
import { type FeedReader, StateFeed } from './state-feed.ts';

/** What the keeper has to know about a connection. */
export interface KeptConnection {
  /** Why the connection ended; undefined while it works. */
  readonly reason: LibvirtError | undefined;
  /** Resolves when the connection has ended, with the reason. */
  readonly closed: Promise<LibvirtError>;
  close(options?: CloseOptions): Promise<void>;
}

/** One connection in the life of a session. */
export interface Link<Connection> {
  readonly connection: Connection;
  /** How many attempts it took. */
  readonly attempt: number;
  readonly connectedAt: Date;
  /** Undefined while the connection lasts. */
  readonly lostAt: Date | undefined;
}

export interface KeeperOptions<Connection> {
  readonly open: (signal: AbortSignal) => Promise<Connection>;
  readonly backOff: BackOffOptions;
  readonly maxAttempts: number;
  /** A connection that held for so long counts as good: attempts are counted from 1 again. */
  readonly stableAfterMs: number;
  readonly maxWaitingCalls: number;
  readonly maxWaitingStates: number;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly random: () => number;
  readonly delay: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

interface Loss {
  readonly error: LibvirtError;
  readonly wasStable: boolean;
}

/** Keeps one connection up: opens it, notices its end, waits a while, and opens the next. */
export class ConnectionKeeper<Connection extends KeptConnection> {
  readonly #options: KeeperOptions<Connection>;
  readonly #states: StateFeed<SessionState>;
  readonly #waiters: LinkWaiters<Link<Connection>>;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #link: Link<Connection> | undefined;
  #lastError: LibvirtError | undefined;
  #end: LibvirtError | undefined;
  #closeOptions: CloseOptions = {};

  constructor(options: KeeperOptions<Connection>) {
    this.#options = options;
    this.#states = new StateFeed<SessionState>({ kind: 'connecting', attempt: 1 }, options.maxWaitingStates);
    this.#waiters = new LinkWaiters(options.clock, options.maxWaitingCalls);
    this.#running = this.#run();
  }

  get state(): SessionState {
    return this.#states.latest;
  }

  /** Why no connection will come any more: `closed` when the owner wanted it so. */
  get end(): LibvirtError | undefined {
    return this.#end;
  }

  /** Why there is no connection at the moment, as far as that is known. */
  get lastError(): LibvirtError | undefined {
    return this.#link?.connection.reason ?? this.#lastError;
  }

  /** The connection that works now. A broken one is never given out, even before the keeper has noticed. */
  get link(): Link<Connection> | undefined {
    const isUsable = this.#end === undefined && this.#link?.connection.reason === undefined;
    return isUsable ? this.#link : undefined;
  }

  states(): FeedReader<SessionState> {
    return this.#states.read();
  }

  /** The connection that works now, or the next one. */
  async nextLink(limits: WaitLimits): Promise<Link<Connection>> {
    if (this.#end) throw this.#end;
    return this.link ?? this.#waiters.wait(limits, () => this.lastError);
  }

  /** Ends everything, whatever is under way and whatever it is given. Harmless when called again. */
  async close(options: CloseOptions = {}): Promise<void> {
    this.#closeOptions = { timeoutMs: closeTimeoutMs(options) };
    this.#refuse(new LibvirtError('closed', 'the session was closed'));
    this.#stop.abort();
    await this.#running;
    checkCloseOptions(options);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let attempt = 1;
    let loss = await this.#connectAndHold(attempt);
    while (!signal.aborted) {
      const failures = loss.wasStable ? 0 : attempt;
      this.#lastError = loss.error;
      if (failures >= this.#options.maxAttempts || isFinal(loss.error)) {
        this.#finish(gaveUp(failures, loss.error));
        return;
      }
      await this.#pause(attempt, Math.max(failures, 1), loss.error);
      if (signal.aborted) break;
      attempt = failures + 1;
      loss = await this.#connectAndHold(attempt);
    }
    this.#finish(undefined);
  }

  async #connectAndHold(attempt: number): Promise<Loss> {
    const { signal } = this.#stop;
    const { clock, open, stableAfterMs } = this.#options;
    this.#states.publish({ kind: 'connecting', attempt });
    let connection: Connection;
    try {
      connection = await open(signal);
    } catch (error) {
      return { error: asLibvirtError(error), wasStable: false };
    }
    const since = clock.now();
    const error = await this.#hold(connection, attempt);
    return { error, wasStable: clock.now() - since >= stableAfterMs };
  }

  async #hold(connection: Connection, attempt: number): Promise<LibvirtError> {
    const { signal } = this.#stop;
    const link = { connection, attempt, connectedAt: this.#options.now(), lostAt: undefined as Date | undefined };
    const stopped = Promise.withResolvers<undefined>();
    const onStop = (): void => stopped.resolve(undefined);
    signal.addEventListener('abort', onStop);
    if (signal.aborted) onStop();
    else this.#announce(link);
    const reason = await Promise.race([connection.closed, stopped.promise]);
    signal.removeEventListener('abort', onStop);
    link.lostAt = this.#options.now();
    this.#link = undefined;
    if (reason !== undefined) return reason;
    await connection.close(this.#closeOptions);
    return connection.closed;
  }

  #announce(link: Link<Connection>): void {
    this.#link = link;
    this.#states.publish({ kind: 'connected', attempt: link.attempt, connectedAt: link.connectedAt });
    this.#waiters.resolveAll(link);
  }

  async #pause(attempt: number, failures: number, error: LibvirtError): Promise<void> {
    const { backOff, delay, random } = this.#options;
    const delayMs = backOffDelayMs(failures, backOff, random());
    this.#states.publish({ kind: 'waiting', attempt, delayMs, error });
    try {
      await delay(delayMs, this.#stop.signal);
    } catch (cause) {
      if (!this.#stop.signal.aborted) throw cause;
    }
  }

  #finish(error: LibvirtError | undefined): void {
    if (error !== undefined) this.#refuse(error);
    this.#states.publish(error === undefined ? { kind: 'closed' } : { kind: 'closed', error });
    this.#states.end();
  }

  #refuse(error: LibvirtError): void {
    this.#end ??= error;
    this.#waiters.rejectAll(this.#end);
  }
}

/** What the caller asked for is wrong, and stays wrong. */
function isFinal(error: LibvirtError): boolean {
  return error.code === 'invalid-uri' || error.code === 'invalid-arg';
}

function asLibvirtError(error: unknown): LibvirtError {
  if (isLibvirtError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new LibvirtError('connect-failed', `connecting failed: ${message}`, { cause: error });
}

function gaveUp(attempts: number, error: LibvirtError): LibvirtError {
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  return new LibvirtError(error.code, `gave up after ${count}: ${error.message}`, { cause: error });
}
