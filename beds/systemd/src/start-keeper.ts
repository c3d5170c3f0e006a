import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

import { findProgram, SYSTEM_PATH } from '@smalt/libvirt-daemon';

import { SystemdBedError } from './error.ts';
import { keeperScript } from './keeper-script.ts';
import { machineScript } from './machine-script.ts';

/** How a machine ended: by its own reboot or shutdown, or otherwise. */
export type MachineEnd = 'rebooted' | 'powered-off' | 'killed';

/** The process outside the machine that starts it, ends it and cleans up after it. */
export interface Keeper {
  /** Resolves with the machine's pid when its bus is up, with nothing if it ended before. Never rejects. */
  readonly ready: Promise<number | undefined>;
  /** Resolves when nothing of the machine is left. Never rejects. */
  readonly ended: Promise<MachineEnd>;
  /** Ends the machine at once and waits until nothing of it is left. */
  kill(): Promise<void>;
}

// The kernel ends pid 1 of a namespace that reboots by SIGHUP, and one that powers off by SIGINT.
const ENDS: Readonly<Record<string, MachineEnd>> = { 129: 'rebooted', 130: 'powered-off' };

/** Where the scripts print what went wrong. */
export function keeperLog(directory: string): string {
  return join(directory, 'log');
}

/** Starts a machine of the files below the directory. */
export async function startKeeper(directory: string, hostname: string): Promise<Keeper> {
  const unshare = await findProgram('unshare', 'util-linux');
  const bash = await findProgram('bash', 'bash');
  const cgroup = `smalt-bed-${basename(directory)}`;
  const values = [directory, cgroup, machineScript, directory, hostname];
  const parameters = ['--mount', '--propagation', 'slave', bash, '--norc', '--noprofile', '-c', keeperScript, 'keeper'];
  await using log = await open(keeperLog(directory), 'w');
  const child = spawn(unshare, [...parameters, ...values], {
    stdio: ['pipe', 'pipe', log.fd],
    env: { PATH: SYSTEM_PATH, LC_ALL: 'C' },
    cwd: '/',
    // Ctrl-C in a terminal is for the owner: the keeper has to outlive it to clean up.
    detached: true,
  });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new SystemdBedError('start-failed', 'Could not open pipes to unshare');
  const ready = Promise.withResolvers<number | undefined>();
  let end: MachineEnd = 'killed';
  createInterface({ input: stdout }).on('line', (line) => {
    const [word, value = ''] = line.split(' ');
    if (word === 'ready') ready.resolve(Number(value));
    if (word === 'ended') end = ENDS[value] ?? 'killed';
  });
  const ended = new Promise<MachineEnd>((resolve) => {
    child.once('close', () => resolve(end));
    child.once('error', () => resolve(end));
  });
  void ended.then(() => ready.resolve(undefined));
  // A keeper that is already gone cannot be told to end; its exit is what is reported.
  stdin.on('error', () => undefined);
  const kill = async (): Promise<void> => {
    stdin.end();
    await ended;
  };
  return { ready: ready.promise, ended, kill };
}
