import { randomUUID } from 'node:crypto';
import { chmod, link, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isDraft, writeFileSafely } from '@smalt/files';
import { isJsonObject, parseJson } from '@smalt/json';
import { isRunning, markProcess, parseProcessMark, type ProcessMark } from '@smalt/libvirt-daemon';
import { messageOf } from '@smalt/service-runtime';

import { SmaltError } from '../smalt-error.ts';
import { dataNames, dataPath, MACHINE_DIRECTORY, strangeNames } from './data-directory.ts';
import { decideHosts } from './decide-hosts.ts';
import { decideOpenStack } from './decide-openstack.ts';

/** Guests have to get through to their disks, and need not see what else is there. */
const PASSABLE = 0o711;
const WRITABLE_FOR_OTHERS = 0o022;
const MARK = { kind: 'SmaltData', version: 1 };

/** The claim of this process on a data directory; disposing of it lets the next one have it. */
export interface DataClaim extends AsyncDisposable {
  /** How many hosts it is for; 0 for this machine itself. */
  readonly hosts: number;
  /** Whether these are the computes of an OpenStack. */
  readonly hasOpenStack: boolean;
}

/** What flags say of it. */
export interface WantedFleet {
  readonly hosts?: number | undefined;
  readonly hasOpenStack?: boolean | undefined;
}

/**
 * Makes a data directory this process's own. Refuses one that another process uses, or that others own, may write to or have files in: a
 * purge must never meet any.
 */
export async function claimDataDirectory(directory: string, wanted: WantedFleet = {}): Promise<DataClaim> {
  const found = await openDirectory(directory);
  await checkOwner(directory);
  const isUsed = await isOwn(directory, found);
  const others = isUsed ? [] : foreignNames(directory, found);
  if (others.length > 0) {
    const names = others.slice(0, 3).join(', ');
    const next = 'give an empty or new one with --data';
    throw new SmaltError('start-failed', `${directory} holds files of others (${names}): ${next}`);
  }
  const fleet = decideFleet(await realpath(directory), wanted, isUsed ? await readFleet(directory) : undefined);
  const letGo = await takeClaim(directory);
  await writeFileSafely(dataPath(directory, 'mark'), `${JSON.stringify({ ...MARK, ...fleet })}\n`);
  return { ...fleet, [Symbol.asyncDispose]: letGo };
}

interface KnownFleet {
  readonly hosts: number;
  readonly hasOpenStack: boolean;
}

function decideFleet(directory: string, wanted: WantedFleet, known: KnownFleet | undefined): KnownFleet {
  const decided = decideHosts({ wanted: wanted.hosts, known: known?.hosts });
  if (decided.kind === 'refuse') throw new SmaltError('wrong-use', decided.message);
  const { hosts } = decided;
  const facts = { isWanted: wanted.hasOpenStack === true, isKnown: known?.hasOpenStack, hosts, directory };
  const decision = decideOpenStack(facts);
  if (decision.kind === 'refuse') throw new SmaltError('wrong-use', decision.message);
  return { hosts, hasOpenStack: decision.hasOpenStack };
}

/** Names that are like ours are not enough, except where other programs of Smalt keep their files as a rule. */
function foreignNames(directory: string, found: readonly string[]): readonly string[] {
  if (directory === MACHINE_DIRECTORY) return strangeNames(found);
  // Who was killed at the very beginning has left these.
  return found.filter((name) => name !== dataNames.claim && !isDraft(name));
}

/** Writes down whose the directory is, unless it is another's who runs; gives what takes it back. */
async function takeClaim(directory: string): Promise<() => Promise<void>> {
  const path = dataPath(directory, 'claim');
  const text = JSON.stringify(await markProcess(process.pid));
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    // A link is made by one alone, whoever else tries at the same moment.
    await link(draft, path).catch(unlessThere);
    if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
      await removeDeadClaim(directory);
      await link(draft, path);
    }
  } catch (error) {
    if (error instanceof SmaltError) throw error;
    throw new SmaltError('start-failed', `${directory} cannot be claimed: ${messageOf(error)}: try again`, {
      cause: error,
    });
  } finally {
    await rm(draft, { force: true });
  }
  return async () => {
    if ((await readFile(path, 'utf8').catch(() => '')) === text) await rm(path, { force: true });
  };
}

async function removeDeadClaim(directory: string): Promise<void> {
  const path = dataPath(directory, 'claim');
  refuseHolder(directory, await readHolder(directory));
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside);
  const taken = await holderIn(aside);
  // Somebody else was quicker, and has the directory now.
  if (taken !== undefined) await link(aside, path).catch(unlessThere);
  await rm(aside, { force: true });
  refuseHolder(directory, taken);
}

function refuseHolder(directory: string, holder: ProcessMark | undefined): void {
  if (holder === undefined) return;
  const next = 'stop it with smalt down, or give another directory with --data';
  throw new SmaltError('start-failed', `smalt up runs on ${directory} already, as process ${holder.pid}: ${next}`);
}

/** What a data directory that was used is for; 0 hosts where it is for this machine itself. */
export async function readFleet(directory: string): Promise<KnownFleet> {
  const value = parsed(await readFile(dataPath(directory, 'mark'), 'utf8').catch(() => ''));
  const { hosts, hasOpenStack } = isJsonObject(value) ? value : {};
  return { hosts: typeof hosts === 'number' ? hosts : 0, hasOpenStack: hasOpenStack === true };
}

/** Who runs on a data directory now. */
export async function readHolder(directory: string): Promise<ProcessMark | undefined> {
  return await holderIn(dataPath(directory, 'claim'));
}

async function holderIn(path: string): Promise<ProcessMark | undefined> {
  const mark = parseProcessMark(await readFile(path, 'utf8').catch(() => ''));
  return mark !== undefined && (await isRunning(mark)) ? mark : undefined;
}

/** Whether a directory is Smalt's, by what lies in it. */
export async function isDataDirectory(directory: string): Promise<boolean> {
  return await isOwn(directory, await readdir(directory).catch((): string[] => []));
}

async function isOwn(directory: string, found: readonly string[]): Promise<boolean> {
  const mark = parsed(await readFile(dataPath(directory, 'mark'), 'utf8').catch(() => ''));
  if (isJsonObject(mark) && mark['kind'] === MARK.kind) return true;
  // Before there was a mark, the API server with its identity was in every one of them, and nothing else.
  const identity = await stat(join(dataPath(directory, 'apiServer'), 'identity')).catch(() => undefined);
  return identity?.isDirectory() === true && strangeNames(found).length === 0;
}

/** What root reads and writes here must not be what somebody else has put there. */
async function checkOwner(directory: string): Promise<void> {
  const { uid, mode } = await stat(directory);
  if (uid === process.getuid?.() && (mode & WRITABLE_FOR_OTHERS) === 0) return;
  const next = 'give one that is yours, and that only you may write to, with --data';
  throw new SmaltError('start-failed', `${directory} belongs to somebody else, or others may write to it: ${next}`);
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // Nothing is there, or a power loss damaged it: nobody that runs has written that.
    return undefined;
  }
}

async function openDirectory(directory: string): Promise<readonly string[]> {
  try {
    const made = await mkdir(directory, { recursive: true, mode: PASSABLE });
    if (made !== undefined) await chmod(directory, PASSABLE);
    return await readdir(directory);
  } catch (error) {
    const message = `${directory} cannot be used: ${messageOf(error)}: give another directory with --data`;
    throw new SmaltError('start-failed', message, { cause: error });
  }
}

function unlessThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
