import type { JsonValue } from '@smalt/json';

import type { OvsEndpoint } from '../../connection/parse-remote.ts';
import { withDeadline } from '../../connection/with-deadline.ts';
import { isOvsError, OvsError } from '../../ovs-error.ts';
import type { OvsdbCallOptions, OvsdbState } from '../ovsdb.ts';
import { ChangeBacklog } from '../rows/change-backlog.ts';
import { FollowedTables, type FollowedTablesOptions, type TableConditions } from '../rows/followed-tables.ts';
import { readNotification } from '../rows/read-notification.ts';
import type { CellChange } from '../rows/row-changes.ts';
import type { OvsdbSchema } from '../values/ovsdb-schema.ts';
import { type AttemptOutcome, keepConnected } from './keep-connected.ts';
import { MemberWatch } from './member-watch.ts';
import { OvsdbLink } from './ovsdb-link.ts';
import type { OvsdbSettings } from './ovsdb-settings.ts';

/** A connection that was held for less counts as a failure: a server that hangs up at once must not be hammered. */
const STABLE_AFTER_MS = 1000;

/** A link over which all tables are followed. */
interface ReadyLink {
  readonly link: OvsdbLink;
  readonly schema: OvsdbSchema;
}

/** Keeps a link to a database up, and all followed tables current. */
export class OvsdbSession implements AsyncDisposable {
  readonly #settings: OvsdbSettings;
  readonly #followed = new Map<JsonValue, FollowedTables>();
  readonly #members: MemberWatch | undefined;
  readonly #stop = new AbortController();
  readonly #firstOutcome = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;
  #ready: ReadyLink | undefined;
  /** What the first answers of a new link changed: listeners learn it when all of them are there. */
  #unannounced: ReadonlyMap<FollowedTables, ChangeBacklog> = new Map();
  #schema: OvsdbSchema | undefined;
  #state: OvsdbState;
  #lastId = 0;

  constructor(settings: OvsdbSettings) {
    this.#settings = settings;
    this.#state = { kind: 'disconnected', since: settings.clock.now(), why: 'not connected yet' };
    const { leaderOnly, endpoints, onWarning } = settings;
    if (leaderOnly || endpoints.length > 1) this.#members = new MemberWatch(settings.database, leaderOnly, onWarning);
  }

  get state(): OvsdbState {
    return this.#state;
  }

  get schema(): OvsdbSchema | undefined {
    return this.#schema;
  }

  get remote(): string | undefined {
    return this.#ready?.link.remote;
  }

  start(): void {
    const { endpoints, backOff, clock, random } = this.#settings;
    const { signal } = this.#stop;
    const attempt = (endpoint: OvsEndpoint): Promise<AttemptOutcome> => this.#attempt(endpoint);
    this.#running ??= keepConnected({ endpoints, backOff, clock, random, signal, attempt });
  }

  /** Follows tables from now on, over this link and all that come. */
  follow(options: Pick<FollowedTablesOptions, 'tables' | 'where'>): FollowedTables {
    if (this.#stop.signal.aborted) throw closed();
    const { database, onWarning } = this.#settings;
    const followed = new FollowedTables({ ...options, id: `smalt-${++this.#lastId}`, database, onWarning });
    this.#followed.set(followed.id, followed);
    const ready = this.#ready;
    if (ready !== undefined) void this.#startLate(ready, followed);
    return followed;
  }

  /** Asks for other rows of tables that are followed, over this link and all that come. */
  changeConditions(followed: FollowedTables, where: TableConditions): void {
    followed.where = where;
    const ready = this.#ready;
    if (ready !== undefined) void this.#sendConditions(ready, followed);
  }

  async unfollow(followed: FollowedTables): Promise<void> {
    if (!this.#followed.delete(followed.id)) return;
    followed.feed.end();
    const ready = this.#ready;
    if (ready === undefined || followed.failure !== undefined) return;
    try {
      await ready.link.connection.call('monitor_cancel', [followed.id]);
    } catch (cause) {
      const message = `${ready.link.remote} goes on sending what nobody reads`;
      this.#settings.onWarning({ kind: 'failed-cancel', message, cause });
    }
  }

  /** Asks over the link that is up. While there is none it fails at once, unless the first is still being made. */
  async call(method: string, params: readonly JsonValue[], options: OvsdbCallOptions): Promise<JsonValue> {
    const { clock, requestTimeoutMs, database } = this.#settings;
    const { signal, timeoutMs = requestTimeoutMs } = options;
    if (this.#stop.signal.aborted) throw closed();
    const what = `no connection to ${database} for ${method}`;
    await withDeadline(this.#firstOutcome.promise, { clock, timeoutMs, signal, what });
    const ready = this.#ready;
    if (ready !== undefined) return ready.link.connection.call(method, params, { signal, timeoutMs });
    throw new OvsError('unreachable', `no connection to ${database}: ${this.#state.why ?? 'it was lost'}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    this.#changeState('disconnected', closed().message);
    for (const followed of this.#followed.values()) followed.feed.end();
    this.#followed.clear();
  }

  async #attempt(endpoint: OvsEndpoint): Promise<AttemptOutcome> {
    const { signal } = this.#stop;
    let link: OvsdbLink;
    try {
      link = await OvsdbLink.open(
        endpoint,
        this.#settings,
        this.#linkListener(() => link),
        signal,
      );
    } catch (error) {
      this.#lost(error, 'disconnected');
      return { wasStable: false };
    }
    using _owned = link;
    const onStop = (): void => link.connection.close(closed());
    signal.addEventListener('abort', onStop, { once: true });
    if (signal.aborted) onStop();
    let readyAt: number | undefined;
    try {
      await this.#makeReady(link);
      readyAt = this.#settings.clock.now();
      throw await link.connection.closed;
    } catch (error) {
      this.#ready = undefined;
      for (const followed of this.#followed.values()) followed.interrupt();
      this.#members?.interrupt();
      this.#lost(error, isOvsError(error, 'timeout') ? 'silent' : 'disconnected');
      return { wasStable: readyAt !== undefined && this.#settings.clock.now() - readyAt >= STABLE_AFTER_MS };
    } finally {
      signal.removeEventListener('abort', onStop);
    }
  }

  async #makeReady(link: OvsdbLink): Promise<void> {
    const { database, dumpTimeoutMs } = this.#settings;
    await this.#members?.start(link, dumpTimeoutMs);
    const schema = await link.readSchema(database);
    const started = [...this.#followed.values()];
    this.#unannounced = new Map(started.map((followed) => [followed, new ChangeBacklog()]));
    await Promise.all(
      started.map(async (followed, index) => {
        const rows = await this.#startOne({ link, schema }, followed, index === 0);
        this.#unannounced.get(followed)?.add(rows);
      }),
    );
    this.#announce({ link, schema });
  }

  #announce(ready: ReadyLink): void {
    const unannounced = this.#unannounced;
    this.#unannounced = new Map();
    this.#schema = ready.schema;
    this.#ready = ready;
    this.#state = { kind: 'connected', since: this.#settings.clock.now() };
    this.#firstOutcome.resolve();
    for (const [followed, backlog] of unannounced) followed.feed.publish({ rows: backlog.take(), state: this.#state });
    // Those that came, or that were asked for other rows, while the first answers were read.
    for (const followed of this.#followed.values()) {
      void (unannounced.has(followed) ? this.#sendConditions(ready, followed) : this.#startLate(ready, followed));
    }
  }

  /** Tables that were added later may be refused without harm to the others. */
  async #startOne(ready: ReadyLink, followed: FollowedTables, isFirst: boolean): Promise<readonly CellChange[]> {
    try {
      return await followed.start(ready.link.connection, ready.schema, this.#settings.dumpTimeoutMs);
    } catch (error) {
      if (isFirst || !isOvsError(error, 'refused', 'unsupported', 'invalid-argument')) throw error;
      followed.failure = error;
      return [];
    }
  }

  async #startLate(ready: ReadyLink, followed: FollowedTables): Promise<void> {
    try {
      const rows = await this.#startOne(ready, followed, false);
      followed.feed.publish({ rows, state: this.#state });
      await this.#sendConditions(ready, followed);
    } catch (cause) {
      const message = 'the first answer to a further monitor cannot be used';
      ready.link.connection.close(isOvsError(cause) ? cause : new OvsError('protocol', message, { cause }));
    }
  }

  /** Sends conditions that have changed since the server heard of them. */
  async #sendConditions({ link }: ReadyLink, followed: FollowedTables): Promise<void> {
    if (!followed.hasOtherConditions) return;
    try {
      await followed.sendConditions(link.connection, this.#settings.dumpTimeoutMs);
      if (!followed.isCurrent) return;
      followed.failure = undefined;
    } catch (error) {
      if (!isOvsError(error, 'refused', 'unsupported', 'invalid-argument')) {
        link.connection.close(isOvsError(error) ? error : new OvsError('protocol', 'conditions', { cause: error }));
        return;
      }
      followed.failure = error;
    }
    followed.feed.publish({ rows: [], state: this.#state });
  }

  #linkListener(linkOf: () => OvsdbLink): Parameters<typeof OvsdbLink.open>[2] {
    return {
      onNotification: (method, params) => this.#notice(linkOf(), method, params),
      onSilent: (since, why) => this.#changeState('silent', why, since),
      onHeardAgain: () => {
        if (this.#ready === undefined) this.#changeState('disconnected', 'the tables are being read');
        else this.#changeState('connected', undefined);
      },
    };
  }

  #notice(link: OvsdbLink, method: string, params: readonly JsonValue[]): void {
    const notification = readNotification(method, params);
    if (notification.kind === 'update') {
      const { id, update } = notification;
      if (this.#members?.isAbout(id) === true) {
        this.#members.update(link, update);
        return;
      }
      const followed = this.#followed.get(id);
      if (followed !== undefined) this.#tell(followed, followed.update(update));
    } else if (notification.kind === 'canceled') {
      link.connection.close(new OvsError('unreachable', `${link.remote} no longer serves the database`));
    } else {
      const message = `${link.remote} sent ${JSON.stringify(method.slice(0, 80))}, which means nothing here`;
      this.#settings.onWarning({ kind: 'unknown-notification', message });
    }
  }

  #tell(followed: FollowedTables, rows: readonly CellChange[]): void {
    const unannounced = this.#unannounced.get(followed);
    if (unannounced !== undefined) unannounced.add(rows);
    else if (rows.length > 0) followed.feed.publish({ rows, state: this.#state });
  }

  #lost(error: unknown, kind: 'silent' | 'disconnected'): void {
    this.#firstOutcome.resolve();
    if (this.#stop.signal.aborted) return;
    const why = error instanceof Error ? error.message : String(error);
    if (!this.#changeState(kind, why)) return;
    this.#settings.onWarning({ kind: 'lost-connection', message: why, cause: error });
  }

  #changeState(kind: OvsdbState['kind'], why: string | undefined, since?: number): boolean {
    const current = this.#state;
    if (current.kind === kind && current.why === why) return false;
    const begin = current.kind === kind ? current.since : (since ?? this.#settings.clock.now());
    this.#state = { kind, since: begin, ...(why === undefined ? {} : { why }) };
    for (const followed of this.#followed.values()) followed.feed.publish({ rows: [], state: this.#state });
    return true;
  }
}

function closed(): OvsError {
  return new OvsError('closed', 'the session was closed by its owner');
}
