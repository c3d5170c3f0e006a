import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BenchmarkError } from './benchmark-error.ts';

const BUILD_TIMEOUT_MS = 300_000;

/** How to build one native peer. */
export interface ProgramSource {
  readonly name: string;
  readonly folder: string;
  /** What the program is made of; a change of any of them builds it anew. */
  readonly files: readonly string[];
  /** The command that tells the compiler's version, and the one that writes the program to the path given. */
  readonly version: readonly string[];
  readonly build: (output: string) => readonly string[];
  /** Five minutes unless told. */
  readonly timeoutMs?: number;
}

/** Builds a program into the cache unless it is there already, and returns its path. Throws `build-failed`. */
export async function buildProgram(source: ProgramSource, cacheFolder: string, signal: AbortSignal): Promise<string> {
  const run = (command: readonly string[]): Promise<string> => runCommand(source, command, signal);
  const hash = createHash('sha256').update(await run(source.version));
  for (const file of source.files) hash.update(await readFile(join(source.folder, file)));
  const program = join(cacheFolder, `${source.name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(program)) return program;

  await mkdir(cacheFolder, { recursive: true });
  // Renamed when whole, so that a build that was cut short is never taken for the program.
  const unfinished = `${program}.${process.pid}`;
  await run(source.build(unfinished));
  await rename(unfinished, program);
  return program;
}

async function runCommand(source: ProgramSource, command: readonly string[], signal: AbortSignal): Promise<string> {
  const [program = '', ...words] = command;
  try {
    const options = { cwd: source.folder, signal, timeout: source.timeoutMs ?? BUILD_TIMEOUT_MS };
    return (await promisify(execFile)(program, words, options)).stdout;
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new BenchmarkError('build-failed', `${source.name}: ${reason.trim()}`, { cause: error });
  }
}
