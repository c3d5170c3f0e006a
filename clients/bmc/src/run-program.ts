import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';

import { BmcError } from './bmc-error.ts';

/** Far more than any of these programs has to say. */
const MOST_OUTPUT_BYTES = 64 * 1024;

export interface ProgramCall {
  readonly program: string;
  readonly arguments: readonly string[];
  /** All of the environment: nothing of our own is passed on. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ProgramEnd {
  /** Undefined if a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Runs a program without a shell, in a process group of its own that does not outlive the call: when the signal fires
 * or the program ends, what is left of the group is killed.
 */
export async function runProgram(call: ProgramCall, signal: AbortSignal): Promise<ProgramEnd> {
  signal.throwIfAborted();
  const child = spawn(call.program, call.arguments, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...call.environment },
    detached: true,
  });
  const end = Promise.withResolvers<ProgramEnd>();
  const fail = (error: unknown): void => {
    end.reject(error);
    killGroup(child);
    // A child that left the group may hold the pipes open for ever.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const onAbort = (): void => fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const stdout = collect(child.stdout, () => fail(tooMuch(call)));
  const stderr = collect(child.stderr, () => fail(tooMuch(call)));
  child.once('error', (error) => fail(notStarted(call, error)));
  child.once('exit', () => killGroup(child));
  child.once('close', (exitCode) =>
    end.resolve({ exitCode: exitCode ?? undefined, stdout: stdout(), stderr: stderr() }),
  );
  try {
    return await end.promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function collect(stream: Readable, onTooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_OUTPUT_BYTES) onTooMuch();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function killGroup(child: Child): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // Nobody of the group is left: that is what was wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function tooMuch({ program }: ProgramCall): BmcError {
  return new BmcError('bad-answer', `${program} printed more than ${MOST_OUTPUT_BYTES} bytes`);
}

function notStarted({ program }: ProgramCall, error: Error): BmcError {
  const code = 'code' in error ? String(error.code) : error.message;
  const next = 'install it, or set the path of the program';
  return new BmcError('tool-missing', `${program} cannot be run (${code}): ${next}`, { cause: error });
}
