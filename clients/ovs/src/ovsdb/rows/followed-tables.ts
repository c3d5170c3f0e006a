import { isJsonArray, type JsonObject, type JsonValue } from '@smalt/json';

import type { JsonRpcConnection } from '../../connection/json-rpc-connection.ts';
import type { OvsWarning } from '../../connection/ovs-warning.ts';
import { isOvsError, OvsError } from '../../ovs-error.ts';
import { shown } from '../values/atom-codec.ts';
import type { TableKinds } from '../values/column-kind.ts';
import { encodeConditions } from '../values/encode-value.ts';
import type { OvsdbCondition } from '../values/operation.ts';
import type { OvsdbSchema } from '../values/ovsdb-schema.ts';
import { ChangeFeed } from './change-feed.ts';
import { RowCache } from './row-cache.ts';
import { type CellChange, changesOfDump, changesOfUpdate, type TableUpdates } from './row-changes.ts';
import { type DatabasePlan, planTables } from './table-plan.ts';

/** What is followed, and under which name. */
export interface FollowedTablesOptions {
  /** Names the monitor on the wire. */
  readonly id: string;
  readonly database: string;
  readonly tables: TableKinds;
  readonly where: TableConditions;
  readonly onWarning: (warning: OvsWarning) => void;
}

/** Of which rows of each table one hears; of all where there is nothing. */
export type TableConditions = { readonly [table: string]: readonly OvsdbCondition[] | undefined };

/** A monitor update; `transaction` is there in `update3` only. */
export interface MonitorUpdate extends TableUpdates {
  readonly transaction?: string;
}

const NO_TRANSACTION = '00000000-0000-0000-0000-000000000000';
/** They only come early when they share a piece of the stream with the first answer. */
const MAX_EARLY = 10_000;
const METHODS = ['monitor_cond_since', 'monitor_cond', 'monitor'] as const;
type MonitorMethod = (typeof METHODS)[number];

/** Tables that are followed over one connection after the other. The rows outlive the connections. */
export class FollowedTables {
  readonly id: string;
  readonly feed: ChangeFeed;
  readonly cache: RowCache;
  readonly #options: FollowedTablesOptions;
  #plan: DatabasePlan = { tables: new Map(), missing: [] };
  #transaction = NO_TRANSACTION;
  /** What comes before the first answer was read: it belongs after it. Undefined when updates are applied at once. */
  #early: MonitorUpdate[] | undefined;
  #isCurrent = false;
  #where: TableConditions;
  /** What the server goes by; undefined where it never heard of conditions, or nobody knows. */
  #whereAtServer: TableConditions | undefined;
  #method: MonitorMethod = 'monitor';
  #isChanging = false;
  /** Why the server does not let these tables be followed. */
  failure: OvsError | undefined;

  constructor(options: FollowedTablesOptions) {
    this.id = options.id;
    this.#options = options;
    this.#where = options.where;
    this.feed = new ChangeFeed(options.onWarning);
    this.cache = new RowCache(Object.keys(options.tables));
  }

  get missing(): readonly string[] {
    return this.#plan.missing;
  }

  /** Whether the rows are those of the server that is connected, and those that are asked for. */
  get isCurrent(): boolean {
    return this.#isCurrent && !this.hasOtherConditions;
  }

  /** Whether the server has still to be told which rows are asked for. */
  get hasOtherConditions(): boolean {
    return this.#where !== this.#whereAtServer;
  }

  /** Asks for other rows. The server is told by `sendConditions`, or when the next connection begins. */
  set where(where: TableConditions) {
    this.#where = where;
  }

  /** The connection is gone: the rows are old news. */
  interrupt(): void {
    this.#isCurrent = false;
    this.#early = undefined;
    // What the server told since a transaction says nothing about rows that were not asked for then.
    if (this.hasOtherConditions) this.#transaction = NO_TRANSACTION;
  }

  /** Begins to follow over a new connection, and returns what has changed since the one before. */
  async start(connection: JsonRpcConnection, schema: OvsdbSchema, timeoutMs: number): Promise<readonly CellChange[]> {
    this.#usePlan(planTables(this.#options.tables, schema));
    this.failure = undefined;
    this.#early = [];
    const where = this.#where;
    if (where !== this.#whereAtServer) this.#transaction = NO_TRANSACTION;
    const first = await this.#request(connection, timeoutMs);
    this.#whereAtServer = where;
    const changes = [...this.#applyFirst(first)];
    const early = this.#early ?? [];
    this.#early = undefined;
    this.#isCurrent = true;
    for (const update of early) changes.push(...this.#apply(update));
    return changes;
  }

  /** Tells the server which rows are asked for. Those that come and go by that are in its updates before it answers. */
  async sendConditions(connection: JsonRpcConnection, timeoutMs: number): Promise<void> {
    if (this.#isChanging || !this.#isCurrent) return;
    this.#isChanging = true;
    try {
      while (this.hasOtherConditions) {
        const where = this.#where;
        if (this.#method !== 'monitor') {
          await connection.call('monitor_cond_change', [this.id, this.id, this.#conditions(where)], { timeoutMs });
        }
        this.#whereAtServer = where;
      }
    } finally {
      this.#isChanging = false;
    }
  }

  /** Takes an update, and returns what it changed. */
  update(update: MonitorUpdate): readonly CellChange[] {
    if (this.#early === undefined) return this.#isCurrent ? this.#apply(update) : [];
    if (this.#early.length >= MAX_EARLY) throw new OvsError('protocol', 'updates come, but no first answer');
    this.#early.push(update);
    return [];
  }

  #usePlan(plan: DatabasePlan): void {
    const known = new Set(this.#plan.missing);
    const news = plan.missing.filter((name) => !known.has(name));
    // What the server tells since a transaction says nothing about columns that were not followed then.
    if (news.length > 0 || plan.missing.length !== known.size) this.#transaction = NO_TRANSACTION;
    this.#plan = plan;
    if (news.length === 0) return;
    const message = `the server's ${this.#options.database} lacks ${news.join(', ')}, or has another type for it`;
    this.#options.onWarning({ kind: 'missing-column', message });
  }

  async #request(connection: JsonRpcConnection, timeoutMs: number): Promise<FirstAnswer> {
    for (const method of METHODS) {
      try {
        const answer = await connection.call(method, this.#parameters(method), { timeoutMs });
        this.#method = method;
        return readFirstAnswer(method, answer);
      } catch (error) {
        if (!isOvsError(error, 'refused') || error.message !== 'unknown method') throw error;
      }
    }
    throw new OvsError('unsupported', `the server cannot monitor ${this.#options.database}`);
  }

  #parameters(method: MonitorMethod): readonly JsonValue[] {
    const { database, id, onWarning } = this.#options;
    const where = this.#where;
    const canFilter = method !== 'monitor';
    const requests: Record<string, JsonValue> = {};
    for (const [table, { columns }] of this.#plan.tables) {
      const conditions = where[table];
      const filter = conditions !== undefined && canFilter ? { where: encodeConditions(conditions) } : {};
      if (conditions !== undefined && !canFilter) {
        onWarning({ kind: 'unfiltered', message: `the server cannot filter the rows of ${table}: all of them come` });
      }
      requests[table] = [{ columns: [...columns.keys()], ...filter }] satisfies JsonValue;
    }
    const parameters: readonly JsonValue[] = [database, id, requests satisfies JsonObject];
    return method === 'monitor_cond_since' ? [...parameters, this.#transaction] : parameters;
  }

  /** The conditions of all tables: one that is left out keeps its old ones. */
  #conditions(where: TableConditions): JsonObject {
    const tables = [...this.#plan.tables.keys()];
    // No condition at all holds for every row.
    return Object.fromEntries(tables.map((table) => [table, [{ where: encodeConditions(where[table] ?? []) }]]));
  }

  #applyFirst(first: FirstAnswer): readonly CellChange[] {
    const changesOf = first.isComplete ? changesOfDump : changesOfUpdate;
    return this.#commit(() => changesOf(this.cache.rows, this.#plan, first), first.transaction);
  }

  #apply(update: MonitorUpdate): readonly CellChange[] {
    const transaction = update.transaction ?? NO_TRANSACTION;
    return this.#commit(() => changesOfUpdate(this.cache.rows, this.#plan, update), transaction);
  }

  #commit(decide: () => readonly CellChange[], transaction: string): readonly CellChange[] {
    // Where this throws, the rows and the server have parted: the next connection reads all of them again.
    this.#transaction = NO_TRANSACTION;
    const changes = decide();
    this.cache.commit(changes);
    this.#transaction = transaction;
    return changes;
  }
}

interface FirstAnswer extends TableUpdates {
  /** Whether it holds all rows, and not only what changed since a transaction that the server still knows. */
  readonly isComplete: boolean;
  readonly transaction: string;
}

function readFirstAnswer(method: MonitorMethod, json: JsonValue): FirstAnswer {
  if (method === 'monitor') return { version: 1, updates: json, isComplete: true, transaction: NO_TRANSACTION };
  if (method === 'monitor_cond') return { version: 2, updates: json, isComplete: true, transaction: NO_TRANSACTION };
  const [isFound, transaction, updates] = isJsonArray(json) ? json : [];
  if (typeof isFound === 'boolean' && typeof transaction === 'string' && updates !== undefined) {
    return { version: 2, updates, isComplete: !isFound, transaction };
  }
  throw new OvsError('protocol', `${method} answered ${shown(json)}`);
}
