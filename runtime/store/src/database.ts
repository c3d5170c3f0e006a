import type { Kysely } from 'kysely';

import type { Engine, EngineKind } from './engine.ts';
import { createQueryBuilder } from './query-builder.ts';
import { Session } from './session.ts';
import { isStoreError } from './store-error.ts';

const MOST_ATTEMPTS = 5;

/** A database that is open. Every call fails with a StoreError, or with the reason of its signal. */
export class Database<Schema> implements AsyncDisposable {
  readonly #engine: Engine;
  readonly #queries: Kysely<Schema>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#queries = createQueryBuilder<Schema>(engine.kind);
  }

  get kind(): EngineKind {
    return this.#engine.kind;
  }

  /** Asks without a transaction: each query sees what is stored when it comes. */
  async read<Result>(run: (session: Session<Schema>) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#engine.read((session) => run(new Session(this.kind, this.#queries, session)), signal);
  }

  /**
   * Makes changes that are all there for good when this resolves, and none when it rejects, unless the error says that their
   * fate is unknown. What is run must change nothing else: it is run again when others were in the way.
   */
  async transaction<Result>(run: (session: Session<Schema>) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#engine.write((session) => run(new Session(this.kind, this.#queries, session)), signal);
      } catch (error) {
        if (!isStoreError(error, 'conflict') || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  /** Copies a SQLite database to a file of mode 0600 while it is used; for PostgreSQL it names the tool to use. */
  async backup(path: string, signal: AbortSignal): Promise<void> {
    await this.#engine.backup(path, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine[Symbol.asyncDispose]();
  }
}
