import { isOvsError, OvsError } from '../ovs-error.ts';
import type { MonitorOptions, OvsdbChange, OvsdbMonitor } from './ovsdb.ts';
import type { CellNews } from './rows/change-feed.ts';
import type { FollowedTables } from './rows/followed-tables.ts';
import type { CellChange } from './rows/row-changes.ts';
import type { OvsdbSession } from './session/ovsdb-session.ts';
import type { RowChange, Rows, TableKinds } from './values/column-kind.ts';

/** Followed tables with the types of their description. */
export class MonitorHandle<Tables extends TableKinds> implements OvsdbMonitor<Tables>, AsyncDisposable {
  readonly cache: Rows<Tables>;
  readonly #session: OvsdbSession;
  readonly #followed: FollowedTables;

  constructor(session: OvsdbSession, followed: FollowedTables) {
    this.#session = session;
    this.#followed = followed;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rows are read by the kinds these types are made of
    this.cache = Object.fromEntries(followed.cache.rows) as unknown as Rows<Tables>;
  }

  get missing(): readonly string[] {
    return this.#followed.missing;
  }

  subscribe(listener: (change: OvsdbChange<Tables>) => void): () => void {
    return this.#followed.feed.subscribe((news) => listener(typedChange(news)));
  }

  changes(signal: AbortSignal): AsyncIterable<OvsdbChange<Tables>> {
    const news = this.#followed.feed.follow(signal);
    async function* typed(): AsyncGenerator<OvsdbChange<Tables>, undefined> {
      for await (const item of news) yield typedChange(item);
    }
    return typed();
  }

  async synchronized(signal: AbortSignal): Promise<void> {
    if (this.#isSynchronized()) return;
    const waiting = Promise.withResolvers<void>();
    const end = AbortSignal.any([signal, this.#followed.feed.ended]);
    const onEnd = (): void => waiting.reject(ending(signal));
    const look = (): void => {
      try {
        if (this.#isSynchronized()) waiting.resolve();
      } catch (error) {
        waiting.reject(isOvsError(error) ? error : ending(signal));
      }
    };
    const unsubscribe = this.#followed.feed.subscribe(look);
    if (end.aborted) onEnd();
    else end.addEventListener('abort', onEnd, { once: true });
    try {
      await waiting.promise;
    } finally {
      unsubscribe();
      end.removeEventListener('abort', onEnd);
    }
  }

  changeWhere(where: NonNullable<MonitorOptions<Tables>['where']>): void {
    this.#session.changeConditions(this.#followed, { ...where });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.unfollow(this.#followed);
  }

  #isSynchronized(): boolean {
    if (this.#followed.failure !== undefined) throw this.#followed.failure;
    return this.#followed.isCurrent && this.#session.state.kind === 'connected';
  }
}

function ending(signal: AbortSignal): OvsError {
  if (!signal.aborted) return new OvsError('closed', 'the session was closed by its owner');
  return new OvsError('aborted', 'waiting for the rows of a database was given up', { cause: signal.reason });
}

function typedChange<Tables extends TableKinds>(news: CellNews): OvsdbChange<Tables> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rows are read by the kinds these types are made of
  return { rows: news.rows.flatMap(rowChange) as unknown as readonly RowChange<Tables>[], state: news.state };
}

function rowChange({ table, before: old, after: row }: CellChange): readonly object[] {
  if (old === undefined) return row === undefined ? [] : [{ kind: 'inserted', table, row }];
  return row === undefined ? [{ kind: 'deleted', table, old }] : [{ kind: 'modified', table, row, old }];
}
