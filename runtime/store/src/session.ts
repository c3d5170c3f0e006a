import type { Compilable, Kysely } from 'kysely';

import { bulkValues, type BulkRow, type BulkStatement } from './bulk-statement.ts';
import type { EngineKind, EngineSession, StoreRow, StoreValue } from './engine.ts';

/** A connection while it is lent, with typed queries. A query is built by `queries` and run by the session. */
export class Session<Schema> {
  readonly kind: EngineKind;
  readonly queries: Kysely<Schema>;
  readonly #engine: EngineSession;

  constructor(kind: EngineKind, queries: Kysely<Schema>, engine: EngineSession) {
    this.kind = kind;
    this.queries = queries;
    this.#engine = engine;
  }

  async all<Row>(query: Compilable<Row>): Promise<readonly Row[]> {
    const { sql, parameters } = query.compile();
    const { rows } = await this.#engine.run({ text: sql, values: parameters });
    // The schema says what the columns hold: who writes a migration answers for it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return rows as unknown as readonly Row[];
  }

  async first<Row>(query: Compilable<Row>): Promise<Row | undefined> {
    const [row] = await this.all(query);
    return row;
  }

  /** Runs a query for what it changes, and tells how many rows that were. */
  async change(query: Compilable): Promise<number> {
    const { sql, parameters } = query.compile();
    const { count } = await this.#engine.run({ text: sql, values: parameters });
    return count;
  }

  /** Runs a statement that is written down for each engine. */
  async run(texts: Readonly<Record<EngineKind, string>>, values: readonly StoreValue[]): Promise<readonly StoreRow[]> {
    const { rows } = await this.#engine.run({ text: texts[this.kind], values, isFrequent: true });
    return rows;
  }

  /** Runs a statement over many rows at once; none at all is no statement. */
  async bulk(statement: BulkStatement, rows: readonly BulkRow[]): Promise<readonly StoreRow[]> {
    if (rows.length === 0) return [];
    const values = bulkValues(this.kind, statement, rows);
    const result = await this.#engine.run({ text: statement.texts[this.kind], values, isFrequent: true });
    return result.rows;
  }
}
