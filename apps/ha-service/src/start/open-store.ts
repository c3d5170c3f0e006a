import { readFile } from 'node:fs/promises';

import { messageOf } from '@smalt/service-runtime';
import type { DatabaseLocation } from '@smalt/store';

import { HaServiceError } from '../ha-service-error.ts';
import type { StoreSettings } from '../settings/ha-service-settings.ts';
import type { DurableHaStore } from '../store/durable-ha-store.ts';
import { openHaStore, type HaStoreOptions } from '../store/open-ha-store.ts';

/** Opens the store that the settings name. */
export async function openStore(
  settings: StoreSettings,
  around: Pick<HaStoreOptions, 'clock' | 'ignore' | 'onEvents' | 'onLoss'>,
  signal: AbortSignal,
): Promise<DurableHaStore> {
  return await openHaStore({ ...around, location: await locationOf(settings) }, signal);
}

async function locationOf(settings: StoreSettings): Promise<DatabaseLocation> {
  switch (settings.kind) {
    case 'sqlite':
      return { kind: 'sqlite', path: settings.path };
    case 'postgres': {
      const url = (await readText('store.urlFile', settings.urlFile)).trim();
      const { authorityFile } = settings;
      if (authorityFile === undefined) return { kind: 'postgres', url };
      return { kind: 'postgres', url, tls: { ca: await readText('store.authorityFile', authorityFile) } };
    }
  }
}

async function readText(field: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const message = `${field}: ${path} cannot be read: ${messageOf(error)}`;
    throw new HaServiceError('unreadable-file', message, { cause: error });
  }
}
