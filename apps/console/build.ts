import { resolve } from 'node:path';

import { build } from 'vite';

/**
 * Builds the pages into `.cache/console` at the root of the repository, where the server finds them. Gives the paths of what they
 * are made of.
 */
export async function buildConsole(): Promise<readonly string[]> {
  const built = await build({ configFile: resolve(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' });
  const results = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return results.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}
