import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { isListening } from './is-listening.ts';
import { findInNamespace, isProgram } from './read-process.ts';

/** Where to look for a daemon of Open vSwitch or OVN. */
export interface FindDaemonOptions {
  /** The program: `ovs-vswitchd`, `ovsdb-server`, `ovn-controller`. */
  readonly name: string;
  /** The run directories, in the order they are tried; one that is a link to another counts once. */
  readonly directories: readonly string[];
  /** Where processes are looked up; `/proc` unless said. */
  readonly proc?: string;
}

/**
 * What is known of a daemon without asking it anything. `gone`: it left a pid file or a socket behind; `absent`: there is
 * no trace of it. `isProcessSeen` is false where only the socket, which somebody listens on, shows that it runs: where
 * daemon and caller have processes of their own, in containers for example.
 */
export type DaemonSighting =
  | { readonly kind: 'running'; readonly processId: number; readonly socket: string; readonly isProcessSeen: boolean }
  | { readonly kind: 'gone'; readonly why: string; readonly processId?: number }
  | { readonly kind: 'absent' };

/** One control socket in a run directory; `processId` is the number in its name. */
interface ControlSocket {
  readonly path: string;
  readonly processId: number;
}

interface Traces {
  readonly pidFile: string;
  /** The number in the pid file, where there is one. */
  readonly processId: number | undefined;
  /** That of the pid file first. */
  readonly sockets: readonly ControlSocket[];
}

const SOCKET = /^(.+)\.(\d+)\.ctl$/;

/** Finds the living daemon of that name and its control socket. */
export async function findDaemon(options: FindDaemonOptions, signal?: AbortSignal): Promise<DaemonSighting> {
  const { name, directories, proc = '/proc' } = options;
  let gone: DaemonSighting | undefined;
  for (const directory of await distinct(directories)) {
    const sighting = await findIn(directory, { name, proc }, signal);
    if (sighting.kind === 'running') return sighting;
    if (sighting.kind === 'gone') gone ??= sighting;
  }
  return gone ?? { kind: 'absent' };
}

async function distinct(directories: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(
    // One that does not exist is said to be empty when it is read.
    directories.map((directory) => realpath(directory).catch(() => directory)),
  );
  return [...new Set(real)];
}

interface Wanted {
  readonly name: string;
  readonly proc: string;
}

async function findIn(directory: string, wanted: Wanted, signal: AbortSignal | undefined): Promise<DaemonSighting> {
  let traces: Traces;
  try {
    traces = await readTraces(directory, wanted.name);
  } catch (error) {
    if (isMissing(error)) return { kind: 'absent' };
    return {
      kind: 'gone',
      why: `${directory} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  for (const socket of traces.sockets) {
    const running = await follow(socket, wanted, signal);
    if (running !== undefined) return running;
  }
  return explainAbsence(traces, wanted);
}

/** The daemon behind a socket, if it lives. A socket outlives a daemon that was killed, and numbers are used again. */
async function follow(
  socket: ControlSocket,
  { name, proc }: Wanted,
  signal: AbortSignal | undefined,
): Promise<DaemonSighting | undefined> {
  const { path, processId } = socket;
  if (await isProgram(proc, processId, name)) return { kind: 'running', processId, socket: path, isProcessSeen: true };
  if (!(await isListening(path, signal))) return undefined;
  const outside = await findInNamespace(proc, processId, name);
  if (outside !== undefined) return { kind: 'running', processId: outside, socket: path, isProcessSeen: true };
  return { kind: 'running', processId, socket: path, isProcessSeen: false };
}

async function explainAbsence(traces: Traces, { name, proc }: Wanted): Promise<DaemonSighting> {
  const { pidFile, processId, sockets } = traces;
  if (processId !== undefined && (await isProgram(proc, processId, name))) {
    return { kind: 'gone', why: `process ${processId} runs, but its control socket is missing`, processId };
  }
  if (processId !== undefined) {
    return { kind: 'gone', why: `${pidFile} names process ${processId}, which is no ${name} any more`, processId };
  }
  const [left] = sockets;
  return left === undefined ? { kind: 'absent' } : { kind: 'gone', why: `${left.path} is left, nobody listens there` };
}

async function readTraces(directory: string, name: string): Promise<Traces> {
  const files = await readdir(directory);
  const pidFile = join(directory, `${name}.pid`);
  const processId = files.includes(`${name}.pid`) ? await readPidFile(pidFile) : undefined;
  const sockets = files.flatMap((file) => {
    const [, program = '', digits] = SOCKET.exec(file) ?? [];
    // The binary with DPDK is called otherwise, and its socket after it, but the pid file is not.
    const isOurs = program === name || program.startsWith(`${name}-`) || Number(digits) === processId;
    return digits !== undefined && isOurs ? [{ path: join(directory, file), processId: Number(digits) }] : [];
  });
  const isNamed = (socket: ControlSocket): number => (socket.processId === processId ? 0 : 1);
  return { pidFile, processId, sockets: sockets.toSorted((left, right) => isNamed(left) - isNamed(right)) };
}

async function readPidFile(path: string): Promise<number | undefined> {
  try {
    const text = (await readFile(path, 'utf8')).trim();
    return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
  } catch (error) {
    // The daemon ended in good order between the two looks.
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
