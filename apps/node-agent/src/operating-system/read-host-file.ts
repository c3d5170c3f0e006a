import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

const MOST_LINKS = 40;
/** What tells that a file is not there, rather than that it cannot be read. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/**
 * The text of a file of the host, whose file system is seen at `root`: symbolic links mean the host's files too, even
 * absolute ones. Resolves `undefined` if there is no such file; rejects if it cannot be read.
 */
export async function readHostFile(root: string, path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await readFile(await resolveInside(root, path), { encoding: 'utf8', signal });
  } catch (error) {
    if (ABSENT.has(codeOf(error))) return undefined;
    throw error;
  }
}

async function resolveInside(root: string, path: string): Promise<string> {
  let resolved: readonly string[] = [];
  let links = 0;
  const ahead = namesIn(path);
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    const below = name === '..' ? resolved.slice(0, -1) : [...resolved, name];
    const target = name === '..' ? undefined : await linkTarget(join(root, ...below));
    if (target === undefined) {
      resolved = below;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw new Error(`${path} is behind more than ${MOST_LINKS} links`);
    if (target.startsWith('/')) resolved = [];
    ahead.push(...namesIn(target));
  }
  return join(root, ...resolved);
}

// The last one comes first: they are taken off the end.
function namesIn(path: string): string[] {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .toReversed();
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (codeOf(error) === 'EINVAL') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
