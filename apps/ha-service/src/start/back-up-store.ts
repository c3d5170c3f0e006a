import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { messageOf } from '@smalt/service-runtime';
import { backupSqlite } from '@smalt/store';

import { HaServiceError } from '../ha-service-error.ts';
import type { StoreSettings } from '../settings/ha-service-settings.ts';

/**
 * Copies the store of the settings to a file, beside a service that uses it. The file is there as a whole or not at all, and one that
 * is there already is replaced. Only SQLite can be copied so.
 */
export async function backUpStore(settings: StoreSettings, to: string, signal: AbortSignal): Promise<void> {
  if (settings.kind === 'postgres') {
    throw new HaServiceError('bad-settings', 'store: a PostgreSQL is copied by its own tools: use pg_dump');
  }
  const from = await placeOf('store.path', settings.path);
  const directory = await placeOf('the directory of the copy', dirname(to));
  if (join(directory, basename(to)) === from) {
    throw new HaServiceError('bad-settings', `${to} is the store itself: name another file for its copy`);
  }
  await backupSqlite(from, to, signal);
}

async function placeOf(what: string, path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const message = `${what}: ${path} cannot be used: ${messageOf(error)}`;
    throw new HaServiceError('unreadable-file', message, { cause: error });
  }
}
