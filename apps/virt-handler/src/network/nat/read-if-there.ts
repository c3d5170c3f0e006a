import { readFile } from 'node:fs/promises';

/** What a file holds; nothing when there is none, or when it is of a process that has ended. */
export async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // The kernel says the second of a process that ends meanwhile.
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}
