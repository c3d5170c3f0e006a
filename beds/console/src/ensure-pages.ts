import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { buildOnce } from '@smalt/files';

import { ConsoleBedError } from './bed-error.ts';
import { inRepository } from './repository.ts';

const PAGES = inRepository('.cache/console');
const PAGE = 'index.html';
/** On a busy machine, with others that build before. */
const BUILD_MS = 180_000;

/** Builds the pages of the console, unless they are newer than all they are made of or another process builds them just now. */
export async function ensurePages(): Promise<void> {
  const signal = AbortSignal.timeout(BUILD_MS);
  const build = (directory: string): Promise<void> => buildPages(directory, signal);
  await buildOnce({ path: PAGES, isCurrent, build, dated: PAGE }, signal);
}

async function isCurrent(): Promise<boolean> {
  return (await modifiedAt(join(PAGES, PAGE))) > (await newestSource());
}

async function buildPages(directory: string, signal: AbortSignal): Promise<void> {
  const vite = inRepository('node_modules/vite/bin/vite.js');
  const config = inRepository('apps/console/vite.config.ts');
  try {
    // A test runner says NODE_ENV=test, by which React would be another one than users get: it draws and connects everything twice.
    const words = ['NODE_ENV=production', process.execPath, vite, 'build', '--config', config, '--outDir', directory];
    await promisify(execFile)('env', words, { cwd: inRepository(), signal });
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
