import { spawn } from 'node:child_process';
import { lstat, open } from 'node:fs/promises';

import { recordPathIn } from './daemon-record.ts';
import { detachedScript } from './detached-script.ts';
import { LibvirtDaemonError } from './error.ts';
import { findProgram, SYSTEM_PATH } from './find-program.ts';
import type { BindMount } from './namespace.ts';

export interface SpawnDetachedOptions {
  readonly directory: string;
  /** Goes into the record. */
  readonly uri: string;
  readonly bindMounts: readonly BindMount[];
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** An open file that the daemon inherits, as 3, and so keeps open. */
  readonly inherited: number;
  /** A file, written anew, that takes what the set-up and the command print. */
  readonly outputFile: string;
}

export interface DetachedChild {
  /** Resolves with the exit status if it exits while this process lives; 137 after any signal. Never rejects. */
  readonly exited: Promise<number>;
}

const KILLED = 128 + 9;

/**
 * Runs a command with mounts of its own, in a session of its own, and lets go of it: nothing ties it to this process.
 */
export async function spawnDetached(options: SpawnDetachedOptions): Promise<DetachedChild> {
  const { directory, uri, bindMounts, command, environment, inherited } = options;
  const unshare = await findProgram('unshare', 'util-linux');
  await findProgram('mount', 'mount');
  const bash = await findProgram('bash', 'bash');
  const script = [bash, '--norc', '--noprofile', '-c', detachedScript, 'detached'];
  const mounts = bindMounts.flatMap(({ source, target }) => [source, target]);
  const values = [recordPathIn(directory), uri, ...mounts, '--', ...command];
  await using output = await open(options.outputFile, 'w', 0o600);
  const scope = await detachedScope(`libvirtd of ${directory} and its guests`);
  const words = [...scope, unshare, '--mount', '--propagation', 'slave', ...script, ...values];
  const program = words.shift() ?? unshare;
  const child = spawn(program, words, {
    stdio: ['ignore', output.fd, output.fd, inherited],
    env: { ...environment, PATH: SYSTEM_PATH, LC_ALL: 'C' },
    cwd: '/',
    detached: true,
  });
  const exited = new Promise<number>((resolve) => child.once('exit', (status) => resolve(status ?? KILLED)));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) =>
      reject(new LibvirtDaemonError('start-failed', `Could not start ${program}`, { cause })),
    );
  });
  child.unref();
  return { exited };
}

/**
 * What to run a program with so that it outlives us. Under systemd, what a service starts ends with it, session or not: a scope
 * of its own takes a program and what it starts out of that. Its name is systemd's choice, for the scope of a dead daemon
 * lives on with the guests.
 */
export async function detachedScope(description: string): Promise<readonly string[]> {
  const isSystemdHere = await lstat('/run/systemd/system').then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isSystemdHere) return [];
  const program = await findProgram('systemd-run', 'systemd');
  return [program, '--scope', '--quiet', '--collect', `--description=${description}`, '--'];
}
