import { readFile } from 'node:fs/promises';

/** What reading says when there is nothing, or no longer: ESRCH of a process that ends meanwhile, ENODEV of such a cgroup. */
const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ESRCH', 'ENODEV']);

/**
 * What a file holds; nothing when there is none, or when it told of a process or a cgroup that has ended. Rejects where nobody can
 * tell: without a free file descriptor or memory, what is not seen may well be there.
 */
export async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && GONE.has(error.code)) return '';
    throw error;
  }
}
