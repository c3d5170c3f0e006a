import { readFile, writeFile } from 'node:fs/promises';

/** What a file of root's holds, made once. */
export async function readOrMake(path: string, make: () => string): Promise<string> {
  const known = await readFile(path, 'utf8').catch(() => '');
  if (known !== '') return known;
  const made = make();
  await writeFile(path, made, { mode: 0o600 });
  return made;
}
