import { join, resolve } from 'node:path';

import type { SmaltProgram } from '@smalt/bed-kubernetes';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const PROGRAMS: Readonly<Record<SmaltProgram, string>> = {
  sources: join(REPOSITORY, 'apps/smalt/src/main.ts'),
  bundle: join(REPOSITORY, '.cache/bundle/smalt.mjs'),
};

/** The words that run a command of smalt. */
export function smaltCommand(program: SmaltProgram, words: readonly string[]): readonly string[] {
  return [process.execPath, PROGRAMS[program], ...words];
}
