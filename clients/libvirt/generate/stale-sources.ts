import { readFile } from 'node:fs/promises';

/** The names of those sources whose file in `folder` is missing or has other content. */
export async function staleSources(folder: URL, sources: ReadonlyMap<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const [name, text] of sources) {
    const current = await readFile(new URL(name, folder), 'utf8').catch((error: unknown) => {
      if (isMissingFile(error)) return undefined;
      throw error;
    });
    if (current !== text) stale.push(name);
  }
  return stale;
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
