import { setTimeout as delay } from 'node:timers/promises';

import { readDaemonRecord } from './daemon-record.ts';
import type { DaemonRecord } from './daemon-record.ts';
import { decideAdoption } from './decide-adoption.ts';
import type { Adoption } from './decide-adoption.ts';
import { isDirectoryInUse, LibvirtDaemonError } from './error.ts';
import { socketPathIn } from './libvirtd-options.ts';
import { launchDaemon } from './launch-daemon.ts';
import type { LaunchOptions } from './launch-daemon.ts';
import { lockDirectory } from './lock-directory.ts';
import { makeOwnDirectory } from './make-own-directory.ts';
import { currentBootId, isRunning, untilGone } from './process-mark.ts';
import { waitUntilServed } from './wait-until-served.ts';

const START_TIMEOUT_MS = 30_000;
const RETRY_MS = 100;

export interface EnsureDaemonOptions extends LaunchOptions {
  readonly startTimeoutMs?: number | undefined;
}

/**
 * Adopts the daemon of a directory, or starts one. Resolves once it answers, or when it has had its time and still runs:
 * with many guests to find again it is slow, and to kill it for that would be to begin anew for ever.
 */
export async function ensureDaemon(options: EnsureDaemonOptions, signal?: AbortSignal): Promise<DaemonRecord> {
  const { directory, startTimeoutMs = START_TIMEOUT_MS } = options;
  const timeout = AbortSignal.timeout(startTimeoutMs);
  const patience = signal ? AbortSignal.any([signal, timeout]) : timeout;
  await makeOwnDirectory(directory);
  for (;;) {
    refuseAborted(signal);
    const step = await lookAt(directory);
    const record = await (step.kind === 'adopt' ? adopt(step.record, directory, patience) : start(options, patience));
    refuseAborted(signal);
    if (record !== undefined) return record;
    if (timeout.aborted)
      throw new LibvirtDaemonError('directory-in-use', `${directory} is held by a libvirtd of others`);
    await delay(RETRY_MS, undefined, { signal: patience }).catch(() => undefined);
  }
}

async function lookAt(directory: string): Promise<Adoption> {
  const record = await readDaemonRecord(directory);
  return decideAdoption(record, record !== undefined && (await isRunning(record)), await currentBootId());
}

/** Starts a daemon; undefined when another one is there after all, or about to be. */
async function start(options: LaunchOptions, patience: AbortSignal): Promise<DaemonRecord | undefined> {
  const { directory } = options;
  try {
    // From its launch on the daemon holds the lock as well, and keeps it until it is gone.
    await using lock = await lockDirectory(directory);
    // Whoever held the lock before may have started one since the last look.
    const step = await lookAt(directory);
    if (step.kind === 'adopt') return undefined;
    return await launchDaemon(options, { lock: lock.fd, keepsRun: step.keepsRun }, patience);
  } catch (error) {
    if (isDirectoryInUse(error)) return undefined;
    throw error;
  }
}

/** Waits for an answer; undefined when the daemon has ended instead. */
async function adopt(
  record: DaemonRecord,
  directory: string,
  patience: AbortSignal,
): Promise<DaemonRecord | undefined> {
  const stop = new AbortController();
  const either = AbortSignal.any([patience, stop.signal]);
  const served = waitUntilServed(socketPathIn(directory), either).catch(() => undefined);
  await Promise.race([served, untilGone(record, either)]);
  stop.abort();
  return (await isRunning(record)) ? record : undefined;
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new LibvirtDaemonError('aborted', 'Starting libvirtd was given up', { cause: signal.reason });
}
