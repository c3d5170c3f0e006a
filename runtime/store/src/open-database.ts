import { Database } from './database.ts';
import type { DatabaseLocation } from './database-location.ts';
import type { Engine } from './engine.ts';
import { migrate, type Migration } from './migrate.ts';
import { parsePostgresUrl } from './parse-postgres-url.ts';
import { StoreError } from './store-error.ts';

const CONNECTIONS = 8;
const CONNECT_MS = 5000;
const STATEMENT_MS = 10_000;

export interface DatabaseOptions {
  readonly location: DatabaseLocation;
  readonly migrations: readonly Migration[];
  /** Told of errors that nobody has to act on. */
  readonly ignore: (error: unknown, why: string) => void;
  readonly limits?: { readonly connections?: number; readonly connectMs?: number; readonly statementMs?: number };
}

/** Opens a database and brings its tables up to date. */
export async function openDatabase<Schema>(options: DatabaseOptions, signal: AbortSignal): Promise<Database<Schema>> {
  const engine = await openEngine(options);
  try {
    await migrate(engine, options.migrations, signal);
  } catch (error) {
    await engine[Symbol.asyncDispose]();
    throw error;
  }
  return new Database<Schema>(engine);
}

/** Reads a location as people write it: a path, or a URL of PostgreSQL. */
export function parseLocation(text: string): DatabaseLocation {
  if (/^postgres(ql)?:/.test(text)) {
    parsePostgresUrl({ kind: 'postgres', url: text });
    return { kind: 'postgres', url: text };
  }
  if (text === '' || /^[a-z][a-z\d+.-]+:/i.test(text)) {
    throw new StoreError('invalid-location', 'The database must be a path of a file, or postgres://user@host/database');
  }
  return { kind: 'sqlite', path: text };
}

async function openEngine({ location, limits, ignore }: DatabaseOptions): Promise<Engine> {
  switch (location.kind) {
    case 'sqlite': {
      const { openSqlite } = await import('./sqlite-engine.ts');
      return openSqlite(location.path);
    }
    case 'postgres': {
      const place = parsePostgresUrl(location);
      // Loaded only where it is used: it is not small.
      const { openPostgres } = await import('./postgres-engine.ts');
      const wanted = { connections: CONNECTIONS, connectMs: CONNECT_MS, statementMs: STATEMENT_MS, ...limits };
      return openPostgres(place, wanted, ignore);
    }
  }
}
