import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { whenAborted } from '../bus/when-aborted.ts';
import { SystemdError } from '../systemd-error.ts';
import type { DelayReason, ShutdownDelay } from '../systemd.ts';

export interface DelaySettings {
  /** The program and its first parameters. */
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const RELEASE_TIMEOUT_MS = 5000;
const MAX_COMPLAINT = 2000;
/** `systemd-inhibit` starts `cat` once it holds the lock, so the echo says that it does. */
const WORD = 'held\n';

/**
 * Holds back sleep and shutdown by a child process: logind hands its locks out as file descriptors, which Node cannot
 * receive. The child ends with its standard input, so the lock cannot outlive us.
 */
export async function delayShutdown(
  settings: DelaySettings,
  reason: DelayReason,
  signal: AbortSignal,
): Promise<ShutdownDelay> {
  const child = start(settings, reason);
  const released = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const aborted = whenAborted(signal, 'Waiting for the shutdown lock was given up');
  try {
    await Promise.race([echoOf(child), failureOf(child, settings), aborted.promise]);
  } catch (error) {
    child.kill('SIGKILL');
    child.stdin.destroy();
    throw error;
  } finally {
    aborted.stop();
  }
  return { released, [Symbol.asyncDispose]: () => release(child, released) };
}

function start({ command: [program, ...first], environment }: DelaySettings, { who, why }: DelayReason): Child {
  if (`${who}${why}`.includes('\0')) {
    throw new SystemdError('invalid-argument', 'who, why: a zero cannot stand in the reason of a delay');
  }
  const lock = ['--what=shutdown:sleep', '--mode=delay', `--who=${who}`, `--why=${why}`, 'cat'];
  const child = spawn(program, [...first, ...lock], { stdio: ['pipe', 'pipe', 'pipe'], env: environment, cwd: '/' });
  // It may be gone before it has read; its exit is what is reported.
  child.stdin.on('error', () => undefined);
  child.stdin.write(WORD);
  return child;
}

function echoOf(child: Child): Promise<void> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (text.length < WORD.length) text += chunk.toString();
      if (text.startsWith(WORD)) resolve();
    });
  });
}

/** Rejects when the child has ended; what it printed last is the reason. */
function failureOf(child: Child, { command: [program] }: DelaySettings): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // Later, when the lock is held, its end is told by `released`.
  promise.catch(() => undefined);
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk.toString()}`.slice(-MAX_COMPLAINT);
  });
  child.once('error', (cause) => {
    const isMissing = 'code' in cause && cause.code === 'ENOENT';
    const hint = isMissing ? 'is missing: install systemd' : `could not be run: ${cause.message}`;
    reject(new SystemdError(isMissing ? 'missing-program' : 'refused', `The program ${program} ${hint}`, { cause }));
  });
  child.once('close', (status) => {
    const message = `${program} ended with ${String(status)} instead of holding the lock: ${complaint.trim()}`;
    reject(new SystemdError(/denied/i.test(complaint) ? 'access-denied' : 'refused', message));
  });
  return promise;
}

async function release(child: Child, released: Promise<void>): Promise<void> {
  child.stdin.end();
  const timer = new AbortController();
  const late = delay(RELEASE_TIMEOUT_MS, true, { signal: timer.signal }).catch(() => false);
  const isLate = await Promise.race([released.then(() => false), late]);
  timer.abort();
  if (isLate) child.kill('SIGKILL');
  await released;
}
