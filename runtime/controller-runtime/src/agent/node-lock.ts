import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

import { lockFile } from '@smalt/files';
import type { Logger } from '@smalt/service-runtime';

import type { Clock } from '../clock.ts';
import { printIdentity, type AgentIdentity } from './agent-identity.ts';

const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
const ID = /^[\da-f]{16}$/;
/** An id and an identity are shorter by far. */
const LONGEST = 1_024;
/** Who has the lock stands in a file, which costs nothing to read. */
const LOOK_MS = 1_000;

export interface NodeLockOptions {
  /** The file that all agents of one kind on one node lock. */
  readonly path: string;
  readonly identity: AgentIdentity;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told who has the lock, as `printIdentity` says it, while it has to be waited for; again when that is another one. */
  readonly onWait: (holder: string) => void;
}

/** The kernel's word that no other agent with the same file runs. Disposing of it lets the next one in. */
export interface NodeLock extends AsyncDisposable {
  /**
   * What the file is called in Leases: made up once and kept in it, so that no file of another machine has the same. Undefined
   * where it cannot be written.
   */
  readonly id: string | undefined;
}

/** Locks the file of the node, once no other process has it. Rejects where that cannot be done, and when the signal fires. */
export async function takeNodeLock(options: NodeLockOptions, signal: AbortSignal): Promise<NodeLock> {
  await mkdir(dirname(options.path), { recursive: true, mode: 0o700 });
  for (;;) {
    signal.throwIfAborted();
    await using stack = new AsyncDisposableStack();
    const file = stack.use(await open(options.path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600));
    if (!(await lockFile(file, { signal }))) await waitForTurn(file, options, signal);
    // Somebody may have removed it meanwhile, and others lock the next one.
    if (!(await isAt(options.path, file))) continue;
    const id = await sign(file, options);
    const owned = stack.move();
    return { id, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }
}

async function waitForTurn(file: FileHandle, options: NodeLockOptions, signal: AbortSignal): Promise<void> {
  const isOver = new AbortController();
  const telling = tellHolders(file, options, AbortSignal.any([signal, isOver.signal]));
  try {
    await lockFile(file, { isWaitedFor: true, signal });
  } finally {
    isOver.abort();
    await telling;
  }
}

async function tellHolders(
  file: FileHandle,
  { path, clock, onWait }: NodeLockOptions,
  signal: AbortSignal,
): Promise<void> {
  let told = '';
  while (!signal.aborted) {
    // A name that cannot be read is one that is not known.
    const [, name = ''] = await linesOf(file).catch(() => []);
    const holder = name === '' ? `whoever has locked ${path}` : name;
    if (holder !== told && !signal.aborted) onWait(holder);
    told = holder;
    await clock.wait(LOOK_MS, signal).catch(() => undefined);
  }
}

/** Writes down who has the lock. The id stays as it is, whatever becomes of that. */
async function sign(file: FileHandle, { path, identity, logger }: NodeLockOptions): Promise<string | undefined> {
  const [known = ''] = await linesOf(file);
  const isKnown = ID.test(known);
  const lock = isKnown ? known : randomBytes(8).toString('hex');
  const text = Buffer.from(`${lock}\n${printIdentity({ ...identity, lock })}\n`);
  try {
    await file.write(text, 0, text.length, 0);
    await file.truncate(text.length);
    // A Lease may say it for longer than a loss of power lets it live here.
    await file.datasync();
    return lock;
  } catch (error) {
    logger.warn({ error, path }, 'who has the lock of the node cannot be written into it: see that there is room');
    return isKnown ? lock : undefined;
  }
}

async function linesOf(file: FileHandle): Promise<readonly string[]> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST), 0, LONGEST, 0);
  return buffer.toString('utf8', 0, bytesRead).split('\n');
}

async function isAt(path: string, file: FileHandle): Promise<boolean> {
  const [there, here] = await Promise.all([stat(path).catch(() => undefined), file.stat()]);
  return there !== undefined && there.ino === here.ino && there.dev === here.dev;
}
