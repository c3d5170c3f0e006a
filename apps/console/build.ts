import { mkdir, mkdtempDisposable, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { build } from 'vite';

const PAGES = resolve(import.meta.dirname, '../../.cache/console');

/**
 * Builds the pages into `.cache/console` at the root of the repository, where the server finds them: when they are whole, since one
 * may run and serve them. Gives the paths of what they are made of.
 */
export async function buildConsole(): Promise<readonly string[]> {
  await mkdir(dirname(PAGES), { recursive: true });
  await using building = await mkdtempDisposable(`${PAGES}-building-`);
  const outDir = join(building.path, 'new');
  const configFile = resolve(import.meta.dirname, 'vite.config.ts');
  const built = await build({ configFile, logLevel: 'warn', build: { outDir } });
  // No rename puts a directory in the place of a full one.
  await rename(PAGES, join(building.path, 'old')).catch(unlessMissing);
  await rename(outDir, PAGES);
  const results = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return results.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
