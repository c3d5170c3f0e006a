import { chmod, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

import { sqliteError } from './sqlite-error.ts';

// All in one step: that reads one moment of the database, and others write meanwhile. Smaller steps would begin anew with
// every write.
const ALL_PAGES = 0x7fff_fff0;

/** Copies a database that is in use. The copy appears under its name when it is whole and on disk. */
export async function backupSqlite(from: string, to: string, signal: AbortSignal): Promise<void> {
  const part = `${to}.part`;
  try {
    signal.throwIfAborted();
    await rm(part, { force: true });
    await (await open(part, 'wx', 0o600)).close();
    // A connection of its own: through that of the service half of a transaction would be copied.
    using source = new DatabaseSync(from, { readOnly: true });
    await backup(source, part, { rate: ALL_PAGES });
    await chmod(part, 0o600);
    await flush(part);
    signal.throwIfAborted();
    await rename(part, to);
    await flush(dirname(to));
  } catch (error) {
    await rm(part, { force: true });
    throw sqliteError(error, to);
  }
}

async function flush(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}
