import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { hasCode } from './file-error.ts';
import { storeLayout } from './store-layout.ts';

/**
 * Makes one store have the images of another, by hard links: both lie in one file system, and take the room once. Names that
 * the other has no more are forgotten; their files go with the next change of the store, once nobody uses them.
 */
export async function mirrorImages(from: string, to: string): Promise<void> {
  const [source, target] = [storeLayout(from), storeLayout(to)];
  for (const path of [...Object.values(source), ...Object.values(target)]) {
    await mkdir(path, { recursive: true, mode: 0o755 });
  }
  for (const blob of await readdir(source.blobs)) {
    // Removed since it was listed, or there already: what has a digest for its name never changes.
    await link(join(source.blobs, blob), join(target.blobs, blob)).catch(unless('EEXIST', 'ENOENT'));
  }
  const names = await readdir(source.names);
  for (const name of names) await copyName(join(source.names, name), join(target.names, name));
  const gone = (await readdir(target.names)).filter((name) => !names.includes(name));
  for (const name of gone) await rm(join(target.names, name), { force: true });
}

async function copyName(from: string, to: string): Promise<void> {
  const [text, known] = await Promise.all([read(from), read(to)]);
  if (text === undefined || text === known) return;
  // Whole or not at all: others look at the same time.
  const partial = `${to}.${randomUUID()}`;
  await writeFile(partial, text);
  await rename(partial, to);
}

async function read(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(unless('ENOENT'));
}

function unless(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (hasCode(error, ...codes)) return undefined;
    throw error;
  };
}
