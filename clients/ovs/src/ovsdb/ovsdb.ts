import type { OvsdbOperation, OvsdbResults, OvsdbCondition } from './values/operation.ts';
import type { ColumnKinds, Row, RowChange, Rows, TableKinds } from './values/column-kind.ts';
import type { OvsdbSchema } from './values/ovsdb-schema.ts';

/**
 * Whether what the cache says is news. `silent`: the connection is open and nothing is answered within the deadline;
 * `disconnected`: there is none. The cache stays as it was last known in both. `why` is there unless it is connected.
 */
export interface OvsdbState {
  readonly kind: 'connected' | 'silent' | 'disconnected';
  /** Since when, by the clock that was passed in. */
  readonly since: number;
  readonly why?: string;
}

/** What listeners learn at once: the rows that one transaction or a new connection changed, and the state. */
export interface OvsdbChange<Tables extends TableKinds> {
  /** Empty where only the state changed. */
  readonly rows: readonly RowChange<Tables>[];
  readonly state: OvsdbState;
}

/** How long a request may take, and who may end it. */
export interface OvsdbCallOptions {
  readonly signal?: AbortSignal;
  /** How long the answer may take; the `requestTimeoutMs` of the session unless told. */
  readonly timeoutMs?: number;
}

/** Tables that are followed. */
export interface OvsdbMonitor<Tables extends TableKinds> {
  /** The rows as last known. They stay while the server is away, and `state` says so. */
  readonly cache: Rows<Tables>;
  /** Tables and columns that the server's schema lacks, or has with another type, as `Table.column`. Their value is the default. */
  readonly missing: readonly string[];
  /** Calls back after the cache has changed, once per transaction, and whenever the state changes. Returns how to stop that. */
  subscribe(listener: (change: OvsdbChange<Tables>) => void): () => void;
  /** The same as an iteration. What comes while nobody reads is put together, so a slow reader costs no memory. Ends with the signal or the session. */
  changes(signal: AbortSignal): AsyncIterable<OvsdbChange<Tables>>;
  /** Resolves when the cache holds what the server has; at once while connected. */
  synchronized(signal: AbortSignal): Promise<void>;
  /**
   * Follows the rows of other conditions from now on; `synchronized` resolves when they are there. The server sends only
   * rows that come or go by that, whereas a further monitor costs it all of them.
   */
  changeWhere(where: NonNullable<MonitorOptions<Tables>['where']>): void;
}

/** What of the tables is followed. */
export interface MonitorOptions<Tables extends TableKinds> {
  /** Only the rows for which one of the conditions holds, by table. */
  readonly where?: { readonly [Table in keyof Tables]?: readonly OvsdbCondition[] };
}

/** Rows that are read once. All conditions must hold. */
export interface SelectRequest<Columns extends ColumnKinds> {
  readonly table: string;
  readonly columns: Columns;
  readonly where?: readonly OvsdbCondition[];
}

/** A database that is followed over any number of connections. */
export interface Ovsdb<Tables extends TableKinds> extends OvsdbMonitor<Tables> {
  readonly state: OvsdbState;
  /** The server's schema, as of the latest connection. */
  readonly schema: OvsdbSchema | undefined;
  /** The remote that is connected, as OVS writes it. */
  readonly remote: string | undefined;
  /** Follows further tables over the same connection, with a cache of its own, until it is disposed of. */
  monitor<const More extends TableKinds>(
    tables: More,
    options?: MonitorOptions<More>,
  ): OvsdbMonitor<More> & AsyncDisposable;
  /** All or nothing. An operation that is refused fails the call with its index. */
  transact<const Operations extends readonly OvsdbOperation[]>(
    operations: Operations,
    options?: OvsdbCallOptions,
  ): Promise<OvsdbResults<Operations>>;
  /** Reads rows once, without following them. */
  select<const Columns extends ColumnKinds>(
    request: SelectRequest<Columns>,
    options?: OvsdbCallOptions,
  ): Promise<readonly Row<Columns>[]>;
  listDatabases(options?: OvsdbCallOptions): Promise<readonly string[]>;
  getSchema(database: string, options?: OvsdbCallOptions): Promise<OvsdbSchema>;
}
