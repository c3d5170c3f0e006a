import { resolve } from 'node:path';

import { buildOnce } from '@smalt/files';
import { build } from 'vite';

const PAGES = resolve(import.meta.dirname, '../../.cache/console');
/** On a busy machine, with others that build before. */
const BUILD_MS = 180_000;

/**
 * Builds the pages into `.cache/console` at the root of the repository, where the server finds them: when they are whole, since one
 * may run and serve them. Gives the paths of what they are made of.
 */
export async function buildConsole(): Promise<readonly string[]> {
  const pages = { path: PAGES, build: buildPages, dated: 'index.html' };
  return (await buildOnce(pages, AbortSignal.timeout(BUILD_MS))) ?? [];
}

async function buildPages(outDir: string): Promise<readonly string[]> {
  const configFile = resolve(import.meta.dirname, 'vite.config.ts');
  const built = await build({ configFile, logLevel: 'warn', build: { outDir } });
  const results = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return results.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}
