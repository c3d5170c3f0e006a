import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';

import { ImagesError } from './images-error.ts';

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly directory?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Runs a program, without a shell, to its end and gives what it printed; anything but success is `command-failed` with its last words. */
export async function runProgram(
  program: string,
  parameters: readonly string[],
  { signal, directory, environment }: RunOptions,
): Promise<Buffer> {
  const child = spawn(program, parameters, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: directory ?? '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', ...environment },
    signal,
  });
  const ended = new Promise<number | null>((settle, reject) => {
    child.once('close', settle);
    child.once('error', (cause) => reject(notRun(program, cause, signal)));
  });
  const [output, complaint, status] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]);
  if (status === 0) return output;
  const words = complaint.trim().split('\n').slice(-5).join('\n');
  throw new ImagesError('command-failed', `${program} ${parameters[0] ?? ''} ended with ${String(status)}: ${words}`);
}

function notRun(program: string, cause: Error, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return new ImagesError('command-failed', `${program} cannot be run: images are made on Debian (${cause.message})`, {
    cause,
  });
}
