import { join, resolve } from 'node:path';

import type { SmaltProgram } from '@smalt/bed-kubernetes';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const PROGRAMS: Readonly<Record<SmaltProgram, string>> = {
  sources: join(REPOSITORY, 'apps/smalt/src/main.ts'),
  bundle: join(REPOSITORY, '.cache/bundle/smalt.mjs'),
};

/** The words that run a command of smalt, so that it can be told to collect its garbage. */
export function smaltCommand(program: SmaltProgram, words: readonly string[]): readonly string[] {
  return [...measuredNode(), PROGRAMS[program], ...words];
}

/** Node, with an ear for who wants to know what a program needs. */
export function measuredNode(): readonly string[] {
  return [process.execPath, '--expose-gc', '--import', join(import.meta.dirname, 'collect-on-signal.ts')];
}
