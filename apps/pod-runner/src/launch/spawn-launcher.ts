import { spawn, type ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';

import { findProcess, launcherLogFile, type Cgroups, type SandboxProcess } from '@smalt/pod-sandbox';

import { PodRunnerError } from '../pod-runner-error.ts';
import { launchScript, TAKEN } from './launch-script.ts';

export interface SpawnRequest {
  readonly cgroups: Cgroups;
  /** The cgroup that the launcher enters. */
  readonly cgroup: string;
  /** The directory of the pod. */
  readonly directory: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Told that a process was started, whose exit code will be told. */
  readonly onSpawn: () => void;
  /** Told with which code it has ended, if this process still lives then; undefined for one that was one too many. */
  readonly onExit: (exitCode: number | undefined) => void;
}

/** A launcher reads a file now and then: one thread and one heap are enough for that. */
const SURROUNDINGS = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  UV_THREADPOOL_SIZE: '1',
  MALLOC_ARENA_MAX: '1',
};

/**
 * Starts a launcher in its cgroup, in a session of its own, and lets go of it: it outlives this process. Where one runs
 * already, that one is found. Throws `launch-failed` when another one is just starting, and when there is no room.
 */
export async function spawnLauncher(request: SpawnRequest, signal: AbortSignal): Promise<SandboxProcess> {
  const { cgroups, cgroup, onSpawn, onExit } = request;
  const running = await findLauncher(cgroups, cgroup);
  if (running !== undefined) return running;
  const child = await spawnScript(request);
  const gone = new AbortController();
  const exited = Promise.withResolvers<number>();
  child.once('exit', (status, by) => {
    const code = status ?? signalCode(by);
    exited.resolve(code);
    gone.abort();
    onExit(code === TAKEN ? undefined : code);
  });
  onSpawn();
  const entered = cgroups.untilPopulated(cgroup, AbortSignal.any([signal, gone.signal]));
  await entered.catch(() => signal.throwIfAborted());
  const started = await findLauncher(cgroups, cgroup);
  if (started !== undefined) return started;
  if ((await exited.promise) === TAKEN)
    throw new PodRunnerError('launch-failed', 'another launcher of this pod is just starting');
  // It has ended already, which its exit code and its log explain.
  return { processId: child.pid ?? 0, startTicks: 0 };
}

async function spawnScript({ cgroups, cgroup, directory, command, environment }: SpawnRequest): Promise<ChildProcess> {
  await using log = await open(launcherLogFile(directory), 'a', 0o600);
  const words = ['--norc', '--noprofile', '-c', launchScript, 'launch', join(directory, 'lock')];
  const child = spawn('/bin/bash', [...words, ...cgroups.entrances(cgroup), '--', ...command], {
    stdio: ['ignore', log.fd, log.fd],
    env: { ...environment, ...SURROUNDINGS },
    cwd: '/',
    detached: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) =>
      reject(new PodRunnerError('launch-failed', `bash cannot be run: ${cause.message}`, { cause })),
    );
  });
  child.unref();
  return child;
}

/** The launcher that is in a cgroup: that of a runner before this one, or one that was just started. */
async function findLauncher(cgroups: Cgroups, cgroup: string): Promise<SandboxProcess | undefined> {
  const [processId] = await cgroups.processIds(cgroup);
  return processId === undefined ? undefined : await findProcess(processId);
}

function signalCode(name: NodeJS.Signals | null): number {
  return 128 + (name === null ? 0 : constants.signals[name]);
}
