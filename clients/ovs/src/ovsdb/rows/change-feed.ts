import type { OvsWarning } from '../../connection/ovs-warning.ts';
import type { OvsdbState } from '../ovsdb.ts';
import { ChangeBacklog } from './change-backlog.ts';
import type { CellChange } from './row-changes.ts';

/** What listeners learn at once. */
export interface CellNews {
  readonly rows: readonly CellChange[];
  readonly state: OvsdbState;
}

/** Tells any number of listeners, in order and at once. */
export class ChangeFeed {
  readonly #onWarning: (warning: OvsWarning) => void;
  readonly #listeners = new Set<(news: CellNews) => void>();
  readonly #ended = new AbortController();

  constructor(onWarning: (warning: OvsWarning) => void) {
    this.#onWarning = onWarning;
  }

  /** Fires when nothing will be told any more. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  subscribe(listener: (news: CellNews) => void): () => void {
    // One function may be subscribed twice.
    const own = (news: CellNews): void => listener(news);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  publish(news: CellNews): void {
    for (const listener of this.#listeners) {
      try {
        listener(news);
      } catch (cause) {
        this.#onWarning({ kind: 'failed-listener', message: 'a listener of a database threw', cause });
      }
    }
  }

  /** Everything from now on; what comes while nobody reads is put together. Ends with the signal or the feed. */
  follow(signal: AbortSignal): AsyncGenerator<CellNews, undefined> {
    const end = AbortSignal.any([signal, this.#ended.signal]);
    const backlog = new ChangeBacklog();
    let state: OvsdbState | undefined;
    let wakeup = Promise.withResolvers<void>();
    const unsubscribe = this.subscribe((news) => {
      backlog.add(news.rows);
      state = news.state;
      wakeup.resolve();
    });
    const onEnd = (): void => {
      unsubscribe();
      wakeup.resolve();
    };
    if (end.aborted) onEnd();
    else end.addEventListener('abort', onEnd, { once: true });

    async function* read(): AsyncGenerator<CellNews, undefined> {
      try {
        while (!end.aborted) {
          await wakeup.promise;
          wakeup = Promise.withResolvers<void>();
          const latest = state;
          state = undefined;
          if (latest !== undefined && !end.aborted) yield { rows: backlog.take(), state: latest };
        }
      } finally {
        end.removeEventListener('abort', onEnd);
        unsubscribe();
      }
    }
    return read();
  }

  end(): void {
    this.#listeners.clear();
    this.#ended.abort();
  }
}
