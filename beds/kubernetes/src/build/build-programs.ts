import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { BedKubernetesError } from '../error.ts';
import { builtProgramPath, builtPrograms, type BuiltProgram } from './built-programs.ts';

export interface BuildOptions {
  /** Of the Go tool. */
  readonly environment: NodeJS.ProcessEnv;
  /** Is told of each program, before it is built and when it is there. */
  readonly tell: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Builds all programs of the bed that are missing: a quarter of an hour on two processors, and nothing the next time. */
export async function buildPrograms({ environment, tell, signal }: BuildOptions): Promise<void> {
  for (const program of builtPrograms) {
    const path = builtProgramPath(program);
    const label = program.name.padEnd(24);
    if (existsSync(path)) {
      tell(`${label} ${path}`);
      continue;
    }
    tell(`${label} is built from its Go modules`);
    const began = Date.now();
    await buildProgram(program, path, { environment, signal });
    tell(`${label} ${path}, built in ${Math.round((Date.now() - began) / 1000)} s`);
  }
}

/** Builds one program to a path. */
export async function buildProgram(
  program: BuiltProgram,
  path: string,
  { environment, signal }: Pick<BuildOptions, 'environment' | 'signal'>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // Renamed when whole, so that a build that was cut short is never taken for the program.
  const unfinished = `${path}.${process.pid}`;
  const tags = program.tags.length > 0 ? ['-tags', program.tags.join(' ')] : [];
  const flags = ['-mod=readonly', '-buildvcs=false', ...tags, '-ldflags', program.linkerFlags.join(' ')];
  const env = { ...environment, ...(program.isStatic && { CGO_ENABLED: '0' }) };
  try {
    await runGo(['build', ...flags, '-o', unfinished, program.package], { cwd: program.module, env, signal });
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

interface GoOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

async function runGo(words: readonly string[], options: GoOptions): Promise<void> {
  const child = spawn('go', words, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  const status = await new Promise<number | null>((settle, reject) => {
    child.once('close', settle);
    child.once('error', (cause) => reject(goError(cause, options.signal)));
  });
  if (status !== 0)
    throw new BedKubernetesError('build-failed', `go build ended with ${String(status)}; its words are above`);
}

function goError(cause: Error, signal: AbortSignal): Error {
  if (signal.aborted) return new BedKubernetesError('build-failed', 'the build was given up', { cause });
  const next =
    'install Go 1.26 or newer, from https://go.dev/dl or golang-1.26 of Debian backports, and put go on the PATH';
  return new BedKubernetesError('missing-program', `go cannot be run (${cause.message}): ${next}`, { cause });
}
