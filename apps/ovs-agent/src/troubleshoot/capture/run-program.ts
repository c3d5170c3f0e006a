import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

import { messageOf } from '@smalt/service-runtime';

import { OvsAgentError } from '../../ovs-agent-error.ts';

/** Nothing of the agent's own surroundings is handed on. */
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };
const MOST_ERROR_TEXT = 4_096;

export type Program = ChildProcessByStdio<null, Readable, Readable>;

/** Starts a program with these words, without a shell, as the first of a group of its own. */
export async function startProgram(command: readonly string[]): Promise<Program> {
  const [name = '', ...words] = command;
  const program = spawn(name, words, { stdio: ['ignore', 'pipe', 'pipe'], env: ENVIRONMENT, detached: true });
  try {
    await once(program, 'spawn');
    return program;
  } catch (error) {
    const message = `${name} cannot be run on this node (${messageOf(error)}): install it where the agent runs`;
    throw new OvsAgentError('unavailable', message, { cause: error });
  }
}

/** Sends a signal to a program and to all that it has started: one that ends early may leave others behind. */
export function signalProgram({ pid }: Pick<Program, 'pid'>, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // Nobody is left, which is what is wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Gathers the last words of a program. */
export function errorText(program: Pick<Program, 'stderr'>): () => string {
  let text = '';
  program.stderr.setEncoding('utf8');
  program.stderr.on('data', (chunk: string) => (text = (text + chunk).slice(-MOST_ERROR_TEXT)));
  return () => text.trim();
}

/** Runs a program to its end. Rejects with its last words if that is not a good one. */
export async function runProgram(command: readonly string[], signal: AbortSignal): Promise<void> {
  const program = await startProgram(command);
  const words = errorText(program);
  program.stdout.resume();
  const kill = (): void => signalProgram(program, 'SIGKILL');
  signal.addEventListener('abort', kill);
  try {
    const [code] = await once(program, 'close');
    signal.throwIfAborted();
    if (code !== 0) throw new OvsAgentError('unavailable', words());
  } finally {
    signal.removeEventListener('abort', kill);
  }
}
