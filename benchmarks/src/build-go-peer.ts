import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { BenchmarkError } from './benchmark-error.ts';
import { buildProgram } from './build-program.ts';

const CACHE = resolve(import.meta.dirname, '../../.cache');
const TIMEOUT_MS = 900_000;

/** A program in Go that ours is measured beside, built from a checkout in `.cache`. */
export interface GoPeer {
  /** The name of its repository at github.com/cobaltcore-dev, and of the checkout. */
  readonly name: string;
  /** The files that tell whether it has to be built anew. */
  readonly files: readonly string[];
}

/** Builds it and returns where the program is. Says how to get the checkout where there is none. */
export async function buildGoPeer({ name, files }: GoPeer, signal: AbortSignal): Promise<string> {
  const folder = join(CACHE, name);
  if (!existsSync(folder)) {
    const from = `https://github.com/cobaltcore-dev/${name}`;
    throw new BenchmarkError('build-failed', `git clone ${from} .cache/${name} first`);
  }
  const source = {
    name,
    folder,
    files: ['go.mod', 'go.sum', ...files],
    version: ['go', 'version'],
    build: (output: string) => ['go', 'build', '-mod=readonly', '-buildvcs=false', '-o', output, './cmd'],
    timeoutMs: TIMEOUT_MS,
  };
  return await buildProgram(source, join(CACHE, 'benchmarks'), signal);
}
