import { resolve } from 'node:path';

import { build } from 'vite';

/** Builds the pages into `.cache/console` at the root of the repository, where the server finds them. */
export async function buildConsole(): Promise<void> {
  await build({ configFile: resolve(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' });
}
