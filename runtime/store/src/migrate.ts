import type { Engine, EngineKind, EngineSession } from './engine.ts';
import { StoreError } from './store-error.ts';

/** One change of the tables. It is never changed itself once it was released. */
export interface Migration {
  /** Counts from 1, without a hole. */
  readonly number: number;
  readonly name: string;
  readonly statements: (kind: EngineKind) => readonly string[];
}

const TABLE = 'CREATE TABLE IF NOT EXISTS schema_migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL)';

/**
 * Brings the tables up to date, all or nothing. Whoever comes at the same time waits, and then finds it done. Tables of a newer
 * program, or of another one, are left alone.
 */
export async function migrate(engine: Engine, migrations: readonly Migration[], signal: AbortSignal): Promise<void> {
  await engine.write(async (session) => {
    await engine.lockForMigration(session);
    if (engine.kind === 'sqlite') await checkOwnFile(session);
    await session.run({ text: TABLE, values: [] });
    const { rows } = await session.run({
      text: 'SELECT number, name FROM schema_migration ORDER BY number',
      values: [],
    });
    const applied = rows.map(({ number, name }) => ({ number: Number(number), name: String(name) }));
    for (const migration of pendingMigrations(applied, migrations)) await apply(engine.kind, session, migration);
  }, signal);
}

/** Which migrations are to be made after those that were; refuses what was not made by these. */
function pendingMigrations(
  applied: readonly Pick<Migration, 'number' | 'name'>[],
  migrations: readonly Migration[],
): readonly Migration[] {
  const newest = applied.at(-1);
  if (newest !== undefined && newest.number > migrations.length) {
    throw new StoreError(
      'newer-schema',
      `The database is at migration ${newest.number} (${newest.name}), this program knows ${migrations.length}: run a newer one`,
    );
  }
  for (const [index, { number, name }] of applied.entries()) {
    const own = migrations[index];
    if (own?.number === number && own.name === name) continue;
    throw new StoreError(
      'foreign-schema',
      `Migration ${number} (${name}) of the database is not one of this program's`,
    );
  }
  return migrations.slice(applied.length);
}

async function checkOwnFile(session: EngineSession): Promise<void> {
  const text = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  const names = (await session.run({ text, values: [] })).rows.map(({ name }) => name);
  if (names.length === 0 || names.includes('schema_migration')) return;
  throw new StoreError('foreign-schema', `The database has tables of another program, such as ${String(names[0])}`);
}

async function apply(kind: EngineKind, session: EngineSession, migration: Migration): Promise<void> {
  for (const text of migration.statements(kind)) await session.run({ text, values: [] });
  const values = [migration.number, migration.name];
  const marks = kind === 'sqlite' ? '?, ?' : '$1, $2';
  await session.run({ text: `INSERT INTO schema_migration (number, name) VALUES (${marks})`, values });
}
