import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ConsoleBedError } from './bed-error.ts';
import { inRepository } from './repository.ts';

/** Builds the pages of the console, unless they are newer than all they are made of. */
export async function ensurePages(): Promise<void> {
  const built = await modifiedAt(inRepository('.cache/console/index.html'));
  if (built > (await newestSource())) return;
  const vite = inRepository('node_modules/vite/bin/vite.js');
  const config = inRepository('apps/console/vite.config.ts');
  try {
    // A test runner says NODE_ENV=test, by which React would be another one than users get: it draws and connects everything twice.
    const words = ['NODE_ENV=production', process.execPath, vite, 'build', '--config', config];
    await promisify(execFile)('env', words, { cwd: inRepository() });
  } catch (error) {
    throw new ConsoleBedError('no-pages', 'the pages of the console cannot be built', { cause: error });
  }
}

async function newestSource(): Promise<number> {
  const folders = ['apps/console/web', 'domain', 'protocols'].map((folder) => inRepository(folder));
  const sources = (await Promise.all(folders.map(sourcesIn))).flat();
  const times = [...sources, inRepository('apps/console/vite.config.ts')].map(modifiedAt);
  return Math.max(...(await Promise.all(times)));
}

async function sourcesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter(
      (entry) => entry.isFile() && /[.](tsx?|css|html|svg)$/.test(entry.name) && !/[.]test[.]ts$/.test(entry.name),
    )
    .map(({ parentPath, name }) => join(parentPath, name));
}

async function modifiedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return 0; // It is not there, so it is older than anything.
  }
}
