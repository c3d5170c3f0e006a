import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';

import { LibvirtDaemonError } from './error.ts';
import { findProgram, SYSTEM_PATH } from './find-program.ts';

export interface RunOptions {
  readonly input?: string | Buffer | undefined;
  readonly directory?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** A program and the Debian package that holds it, to name when it is missing. */
export interface Program {
  readonly name: string;
  readonly debianPackage: string;
}

/** Runs a program to its end and gives what it printed; anything but success is an error with its last words. */
export async function runProgram(
  program: Program,
  parameters: readonly string[],
  options: RunOptions = {},
): Promise<Buffer> {
  const path = await findProgram(program.name, program.debianPackage);
  const child = spawn(path, parameters, {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: options.directory ?? '/',
    env: { PATH: SYSTEM_PATH, LC_ALL: 'C', ...options.environment },
    signal: options.signal,
    killSignal: 'SIGKILL',
  });
  const finished = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', (cause) => reject(spawnError(program, cause, options.signal)));
  });
  // A program that does not read its input closes it; its exit status tells whether that was right.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const [output, complaint, status] = await Promise.all([buffer(child.stdout), text(child.stderr), finished]);
  if (status === 0) return output;
  const command = [program.name, ...parameters].join(' ');
  throw new LibvirtDaemonError('command-failed', `${command} ended with ${String(status)}: ${complaint.trim()}`);
}

function spawnError({ name }: Program, cause: Error, signal: AbortSignal | undefined): LibvirtDaemonError {
  if (signal?.aborted === true) {
    return new LibvirtDaemonError('aborted', `${name} was given up`, { cause: signal.reason });
  }
  return new LibvirtDaemonError('command-failed', `${name} could not be run: ${cause.message}`, { cause });
}
