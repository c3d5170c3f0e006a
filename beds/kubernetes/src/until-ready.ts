import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { BedKubernetesError } from './error.ts';

const LOOK_MS = 10;
const LAST_LINES = 5;

/** A program of the bed, and where it writes what it has to say. */
export interface Server {
  readonly name: string;
  readonly isRunning: boolean;
  readonly logPath: string;
}

/** Resolves once `isReady` says so; fails with the server's last words when it ends or takes too long. */
export async function untilReady(server: Server, isReady: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!(await isReady())) {
    if (!server.isRunning || signal.aborted) throw await notReady(server, signal);
    await delay(LOOK_MS);
  }
}

async function notReady({ name, logPath }: Server, signal: AbortSignal): Promise<BedKubernetesError> {
  const words = (await readFile(logPath, 'utf8')).trim().split('\n').slice(-LAST_LINES).join('\n');
  const what = signal.aborted ? 'was not ready in time' : 'ended';
  return new BedKubernetesError('not-ready', `${name} ${what}: ${words}`, { cause: signal.reason });
}
