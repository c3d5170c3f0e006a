import { once } from 'node:events';
import type { Readable } from 'node:stream';

import { OvsAgentError } from '../../ovs-agent-error.ts';
import { errorText, signalProgram, startProgram, type Program } from './run-program.ts';
import { tcpdumpWords, type TcpdumpOptions } from './tcpdump-words.ts';

const KILL_AFTER_MS = 1_000;

/** A tcpdump that listens. */
export interface RunningTcpdump extends AsyncDisposable {
  readonly output: Readable;
  /** Asks it to end; what it has is still written. */
  stop(): void;
  /** How many packets the kernel had to drop, once it has ended. */
  readonly dropped: () => number | undefined;
  /** What it has said so far, in one line. */
  readonly words: () => string;
}

/** Starts tcpdump and resolves once it listens; rejects with its words if it cannot. */
export async function startTcpdump(options: TcpdumpOptions, signal: AbortSignal): Promise<RunningTcpdump> {
  const program = await startProgram(tcpdumpWords(options));
  const words = errorText(program);
  const ended = once(program, 'close');
  try {
    await listening(program, signal);
  } catch (error) {
    await end(program, ended);
    signal.throwIfAborted();
    const message = `tcpdump cannot listen on ${options.device}: ${lineOf(words()) || String(error)}`;
    throw new OvsAgentError('unavailable', message, { cause: error });
  }
  return {
    output: program.stdout,
    stop: () => signalProgram(program, 'SIGTERM'),
    dropped: () => droppedIn(words()),
    words: () => lineOf(words()),
    [Symbol.asyncDispose]: () => end(program, ended),
  };
}

/** Resolves when it says that it listens: the head of the capture is written before that may fail. */
async function listening(program: Program, signal: AbortSignal): Promise<void> {
  let text = '';
  const heard = Promise.withResolvers<void>();
  const hear = (chunk: string): void => {
    text += chunk;
    if (text.includes('listening on')) heard.resolve();
  };
  const fail = (): void => heard.reject(new Error('it ended'));
  const abort = (): void => heard.reject(new Error('it was not waited for'));
  program.stderr.on('data', hear);
  program.once('close', fail);
  signal.addEventListener('abort', abort);
  try {
    if (signal.aborted) abort();
    await heard.promise;
  } finally {
    program.stderr.off('data', hear);
    program.off('close', fail);
    signal.removeEventListener('abort', abort);
  }
}

async function end(program: Program, ended: Promise<unknown>): Promise<void> {
  // `timeout` may be gone while tcpdump is not; both are, once nobody can write any more.
  if (!program.stdout.closed || !program.stderr.closed) signalProgram(program, 'SIGTERM');
  // Its output may be left unread, and it would wait for a reader.
  program.stdout.destroy();
  const late = setTimeout(() => signalProgram(program, 'SIGKILL'), KILL_AFTER_MS);
  await ended;
  clearTimeout(late);
}

function lineOf(words: string): string {
  return words.replaceAll(/\s+/g, ' ');
}

function droppedIn(words: string): number | undefined {
  const found = /(?<count>\d+) packets? dropped by kernel/.exec(words)?.groups?.['count'];
  return found === undefined ? undefined : Number(found);
}
