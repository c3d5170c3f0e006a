import { applyMessages } from './apply-messages.ts';
import { Collection } from './collection.ts';
import { queryKey, type FollowQuery } from './follow-query.ts';
import { NOTHING_KNOWN } from './followed.ts';
import type { LiveMessage } from './live-message.ts';

export interface LiveStoreOptions {
  readonly send: (message: object) => void;
  /** Calls back before the next picture is drawn, or soon when nothing is drawn. */
  readonly nextFrame: (run: () => void) => void;
  readonly later: (run: () => void, delayMs: number) => () => void;
}

interface Entry {
  readonly query: FollowQuery;
  readonly collection: Collection;
  /** Under which the server tells of it; undefined while it is not followed. */
  id: number | undefined;
  callOff: () => void;
}

/** What nobody looks at is followed a while longer, for those who go back and forth between pages. */
const LINGER_MS = 20_000;

/** Everything that is followed. Changes come to light once per picture, however many messages brought them. */
export class LiveStore {
  readonly #options: LiveStoreOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #entriesById = new Map<number, Entry>();
  #waiting: LiveMessage[] = [];
  #isFrameAsked = false;
  #lastId = 0;

  constructor(options: LiveStoreOptions) {
    this.#options = options;
  }

  /** The same collection for the same query. It is followed while somebody listens to it. */
  collection(query: FollowQuery): Collection {
    const key = queryKey(query);
    const known = this.#entries.get(key);
    if (known !== undefined) return known.collection;
    const collection = new Collection((isUsed) => this.#used(entry, isUsed));
    const entry: Entry = { query, collection, id: undefined, callOff: () => undefined };
    this.#entries.set(key, entry);
    return collection;
  }

  /** Whether all of this query is known already, so that a part of it need not be followed beside it. */
  isKnown(query: FollowQuery): boolean {
    const entry = this.#entries.get(queryKey(query));
    return entry?.id !== undefined && entry.collection.followed().state.kind === 'ready';
  }

  /** A new connection has to be told what is followed. */
  followAgain(): void {
    for (const entry of this.#entriesById.values()) this.#follow(entry);
  }

  /** Nothing that one user saw is shown to the next. */
  forgetAll(): void {
    this.#waiting = [];
    for (const entry of this.#entriesById.values()) this.#forget(entry);
  }

  receive(messages: readonly LiveMessage[]): void {
    if (!this.#isFrameAsked) this.#options.nextFrame(() => this.#apply());
    this.#isFrameAsked = true;
    this.#waiting.push(...messages);
  }

  #apply(): void {
    const byId = Map.groupBy(
      this.#waiting.filter((message) => message.kind !== 'signedOut'),
      ({ id }) => id,
    );
    this.#waiting = [];
    this.#isFrameAsked = false;
    for (const [id, messages] of byId) {
      const collection = this.#entriesById.get(id)?.collection;
      collection?.replace(applyMessages(collection.followed(), messages));
    }
  }

  #used(entry: Entry, isUsed: boolean): void {
    entry.callOff();
    if (!isUsed) entry.callOff = this.#options.later(() => this.#forget(entry), LINGER_MS);
    if (!isUsed || entry.id !== undefined) return;
    this.#lastId += 1;
    entry.id = this.#lastId;
    this.#entriesById.set(entry.id, entry);
    this.#follow(entry);
  }

  #follow({ id, query }: Entry): void {
    this.#options.send({ kind: 'follow', id, ...query });
  }

  #forget(entry: Entry): void {
    if (entry.id === undefined) return;
    this.#options.send({ kind: 'forget', id: entry.id });
    this.#entriesById.delete(entry.id);
    entry.id = undefined;
    entry.collection.replace(NOTHING_KNOWN);
  }
}
