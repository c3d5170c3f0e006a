import { readFile } from 'node:fs/promises';

import { writeFileSafely } from '@smalt/files';

/** What a file of root's holds, made once. */
export async function readOrMake(path: string, make: () => string): Promise<string> {
  const known = await readFile(path, 'utf8').catch(() => '');
  if (known !== '') return known;
  const made = make();
  await writeFileSafely(path, made);
  return made;
}
