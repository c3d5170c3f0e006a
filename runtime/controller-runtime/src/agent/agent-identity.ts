import { randomBytes } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';

import { readIfThere } from '@smalt/files';

/** Who an agent is, in words for people and with what proves that it has ended. */
export interface AgentIdentity {
  readonly host: string;
  readonly pid: number;
  readonly startedAt: string;
  /** Names the kernel and the process numbers that `pid` belongs to. */
  readonly scope: string;
  /** When the process began, in the kernel's own ticks: the same number may be given to another process later. */
  readonly ticks: string;
  readonly nonce: string;
  /** The id of the lock of the node that it holds, if it holds one. */
  readonly lock?: string | undefined;
}

// Agents of before read the scope with the lock in it as one: another one than theirs, of which nothing is sure.
const PATTERN =
  /^(?<host>\S+) pid (?<pid>\d+) since (?<startedAt>\S+) \((?<scope>[^\s#]+)(?:#(?<lock>[\da-f]+))? (?<ticks>\d+) (?<nonce>[\da-f]+)\)$/;

/** The identity of this process; a further one for each agent in it. */
export async function ownIdentity(startedAt: Date): Promise<AgentIdentity> {
  const [boot, numbers, ticks] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    readlink('/proc/self/ns/pid'),
    startTicks(process.pid),
  ]);
  // With a wrong one, others would take us for a process that has ended.
  if (ticks === undefined) throw new Error('/proc does not show this process: it is that of other process numbers');
  return {
    host: hostname(),
    pid: process.pid,
    startedAt: `${startedAt.toISOString().slice(0, 19)}Z`,
    scope: `${boot.trim()}/${numbers.replaceAll(/\D/g, '')}`,
    ticks,
    nonce: randomBytes(4).toString('hex'),
  };
}

export function printIdentity({ host, pid, startedAt, scope, ticks, nonce, lock }: AgentIdentity): string {
  const place = lock === undefined ? scope : `${scope}#${lock}`;
  return `${host} pid ${pid} since ${startedAt} (${place} ${ticks} ${nonce})`;
}

/** Reads what `printIdentity` wrote; undefined for the identities of other programs. */
export function parseIdentity(text: string): AgentIdentity | undefined {
  const groups = PATTERN.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { host = '', pid = '', startedAt = '', scope = '', ticks = '', nonce = '', lock } = groups;
  const identity = { host, pid: Number(pid), startedAt, scope, ticks, nonce };
  return lock === undefined ? identity : { ...identity, lock };
}

/** An identity without what only programs want to know. */
export function describeIdentity(text: string): string {
  return text.replace(/ \([^)]*\)$/, '');
}

/** Whether the process behind an identity has surely ended. Of processes that cannot be seen from here nothing is sure. */
export async function hasEnded(text: string, own: AgentIdentity): Promise<boolean> {
  return (await lookAt(parseIdentity(text), own)) === 'ended';
}

/** Whether another process of this host is surely behind an identity, and runs. */
export async function isRunningHere(text: string, own: AgentIdentity): Promise<boolean> {
  const other = parseIdentity(text);
  // An agent of our own process may have ended without it.
  return other?.pid !== own.pid && (await lookAt(other, own)) === 'runs';
}

async function lookAt(other: AgentIdentity | undefined, own: AgentIdentity): Promise<'runs' | 'ended' | 'unsure'> {
  if (other === undefined || other.scope !== own.scope) return 'unsure';
  try {
    return (await startTicks(other.pid)) === other.ticks ? 'runs' : 'ended';
  } catch {
    // A process is not seen either by one that has no file descriptor or memory left: its Lease still counts.
    return 'unsure';
  }
}

/** Field 22 of /proc/PID/stat, counted after the name, which may hold blanks and brackets; undefined when there is no such process. */
async function startTicks(pid: number): Promise<string | undefined> {
  const stat = await readIfThere(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}
