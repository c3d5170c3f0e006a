import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readlink, realpath, rename, symlink, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { AgentError } from '../agent-error.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const WRITABLE_BY_OTHERS = 0o022;
const WRITABLE_BY_ALL = 0o002;
const LARGEST_FILE = 1_048_576;
const STAGED = /^\..+\.[0-9a-f]{16}\.new$/;

/** What lies at a name. Links are told as links, never followed. */
export type Entry =
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'file';
      readonly content: Buffer;
      readonly mode: number;
      readonly uid: number;
      readonly gid: number;
    }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'other' };

export interface NewFile {
  readonly content: Buffer | string;
  readonly mode: number;
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * A directory that is held open, so that everything happens in this very directory even when somebody moves it or puts
 * a link in its place. New files and links appear whole, by a rename.
 */
export class GuardedDirectory implements AsyncDisposable {
  readonly path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** Opens the directory that all others lie in, and makes it if need be. Links on the way to it are the owner's. */
  static async openRoot(path: string): Promise<GuardedDirectory> {
    await mkdir(path, { recursive: true, mode: 0o755 });
    const real = await realpath(path);
    const directory = new GuardedDirectory(real, await open(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    const { mode, uid } = await directory.#handle.stat();
    if ((mode & WRITABLE_BY_ALL) === 0 && isTrusted(uid)) return directory;
    await directory[Symbol.asyncDispose]();
    throw new AgentError('unsafe-path', `a stranger may write to ${real}: chown it to root, and chmod o-w`);
  }

  /** Opens a directory in this one, makes it if need be, and sees to it that nobody else may write to it. */
  async enter(name: string, mode: number = 0o755): Promise<GuardedDirectory> {
    const path = join(this.path, name);
    await mkdir(this.#at(name), { mode }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    const handle = await open(this.#at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((cause: unknown) => {
      throw new AgentError('unsafe-path', `${path} is not a directory, or a link to one: remove it`, { cause });
    });
    try {
      await claim(handle, path);
      return new GuardedDirectory(path, handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async read(name: string): Promise<Entry> {
    try {
      const found = await lstat(this.#at(name));
      if (found.isSymbolicLink()) return { kind: 'link', target: await readlink(this.#at(name)) };
      return found.isFile() ? await this.#readFile(name) : { kind: 'other' };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return { kind: 'missing' };
      throw error;
    }
  }

  /** Writes a file under a name of its own, down to the disk. `place` makes it visible, under its right name. */
  async stage(name: string, { content, mode, owner }: NewFile): Promise<string> {
    const staged = stagedName(name);
    const handle = await open(this.#at(staged), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      await handle.writeFile(content);
      if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
      await handle.chmod(mode);
      await handle.sync();
    } catch (error) {
      await unlink(this.#at(staged));
      throw error;
    } finally {
      await handle.close();
    }
    return staged;
  }

  async stageLink(name: string, target: string): Promise<string> {
    const staged = stagedName(name);
    await symlink(target, this.#at(staged));
    return staged;
  }

  /** Puts what was staged in the place of what is there: a reader finds the one or the other. */
  async place(staged: string, name: string): Promise<void> {
    await rename(this.#at(staged), this.#at(name));
  }

  /** Moves something aside, readable for its owner alone, because it may be a key. */
  async setAside(name: string, asideName: string): Promise<void> {
    await using handle = await open(this.#at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    await handle.chmod(0o600);
    await rename(this.#at(name), this.#at(asideName));
  }

  async remove(name: string): Promise<void> {
    await unlink(this.#at(name)).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
  }

  /** Removes what was staged by one who did not come to place it. */
  async removeStaged(): Promise<void> {
    const names = await readdir(this.#at('.'));
    for (const name of names.filter((each) => STAGED.test(each))) await this.remove(name);
  }

  /** Sees to it that what was placed outlives a loss of power. */
  async sync(): Promise<void> {
    await this.#handle.sync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }

  async #readFile(name: string): Promise<Entry> {
    await using handle = await open(this.#at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const { mode, uid, gid, size } = await handle.stat();
    // No certificate is that large; whatever it is, it is not what is wanted.
    const content = size > LARGEST_FILE ? Buffer.alloc(0) : await handle.readFile();
    return { kind: 'file', content, mode: mode & 0o7777, uid, gid };
  }

  // Node has no openat(2). Through the open descriptor the kernel resolves a name in this very directory all the same.
  #at(name: string): string {
    return `/proc/self/fd/${this.#handle.fd}/${name}`;
  }
}

async function claim(handle: FileHandle, path: string): Promise<void> {
  const { mode, uid } = await handle.stat();
  if (!isTrusted(uid)) {
    throw new AgentError(
      'unsafe-path',
      `${path} belongs to user ${uid}, who could change what is in it: chown it to root`,
    );
  }
  if ((mode & WRITABLE_BY_OTHERS) !== 0) await handle.chmod(mode & 0o7755);
}

function isTrusted(uid: number): boolean {
  return uid === 0 || uid === process.geteuid?.();
}

function stagedName(name: string): string {
  return `.${name}.${randomBytes(8).toString('hex')}.new`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
