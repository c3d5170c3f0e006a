import { randomBytes } from 'node:crypto';
import { lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { writeDraft } from './write-draft.ts';

/** No file that somebody names is called like this, so what is, is ours to remove. */
const DRAFT = /^\..{1,40}\.[0-9a-f]{16}\.smalt-draft$/su;
/** So that the name of a draft is never too long, however long that of its file is. */
const SHOWN_CHARACTERS = 40;
/** Nobody takes this long for one file. Another process may be at it now. */
const FORGOTTEN_MS = 600_000;

export interface WriteFileSafelyOptions {
  /** Exactly this one, whatever the umask and the file of before say. 0600 if not given. */
  readonly mode?: number | undefined;
  /** Where the draft lies, in the same file system, if others look into the directory of the file and may see nothing else there. */
  readonly draftDirectory?: string | undefined;
  /** False for what nobody asks for after a loss of power: then that may leave less than the new content. */
  readonly isDurable?: boolean | undefined;
}

/**
 * Writes a file. Whoever reads it finds the old content or the new one, also after a loss of power; once it resolves, the new one. Several
 * may write at once, and the last one wins. When it fails, it leaves nothing but the one or the other.
 */
export async function writeFileSafely(
  path: string,
  content: string | Uint8Array,
  options: WriteFileSafelyOptions = {},
): Promise<void> {
  const { mode = 0o600, draftDirectory = dirname(path), isDurable = true } = options;
  const draft = join(draftDirectory, draftName(basename(path)));
  try {
    await writeDraft(draft, content, { mode, isDurable });
    await removeForgotten(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  if (isDurable) await syncDirectory(dirname(path));
}

/** Whether a file is a draft, by its name: one that is being written, or that a killed writer left. */
export function isDraft(name: string): boolean {
  return DRAFT.test(name);
}

/** Hidden, so that programs which read every file of a directory, such as dnsmasq, pass over it. */
function draftName(name: string): string {
  return `.${name.slice(0, SHOWN_CHARACTERS)}.${randomBytes(8).toString('hex')}.smalt-draft`;
}

/**
 * Removes what others left beside a draft who were killed. Nobody knows whether they are: the time tells, by the clock of the file system, which
 * may not be this machine's.
 */
async function removeForgotten(draft: string): Promise<void> {
  const directory = dirname(draft);
  const others = (await readdir(directory)).filter((name) => isDraft(name) && name !== basename(draft));
  if (others.length === 0) return;
  const own = await stat(draft);
  for (const other of others) {
    const left = await lstat(join(directory, other)).catch(unless('ENOENT'));
    const isForgotten = left?.isFile() === true && own.mtimeMs - left.mtimeMs > FORGOTTEN_MS;
    // In a directory of many, that of another user is theirs to remove.
    if (isForgotten && left.uid === own.uid) await rm(join(directory, other), { force: true });
  }
}

/** The new name is in the directory only, which is kept by a cache of its own. */
async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r');
  // Not every file system has this for directories.
  await directory.sync().catch(unless('EINVAL', 'ENOTSUP', 'ENOSYS'));
}

function unless(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && codes.some((code) => code === error.code)) return undefined;
    throw error;
  };
}
