export type EngineKind = 'sqlite' | 'postgres';

/** What both engines can hold and give back unchanged. */
export type StoreValue = string | number | null;

export type StoreRow = Readonly<Record<string, StoreValue>>;

/** One statement as an engine takes it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether it comes again and again, so that it is worth to be prepared. */
  readonly isFrequent?: boolean;
}

export interface StatementResult {
  readonly rows: readonly StoreRow[];
  /** How many rows it has changed, or given. */
  readonly count: number;
}

/** One connection while it is ours. */
export interface EngineSession {
  run(statement: Statement): Promise<StatementResult>;
}

/** A database that can be asked. Everything that fails is a StoreError, or the reason of the signal. */
export interface Engine extends AsyncDisposable {
  readonly kind: EngineKind;
  /** Lends a connection. Statements stand for themselves. */
  read<Result>(use: (session: EngineSession) => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Lends a connection for one transaction, which is durable when this resolves, and has not happened when it rejects. */
  write<Result>(use: (session: EngineSession) => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Keeps others that migrate this database away until the transaction ends. */
  lockForMigration(session: EngineSession): Promise<void>;
  backup(path: string, signal: AbortSignal): Promise<void>;
}
