import { link, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileSafely } from '@smalt/files';

import { hasCode } from './file-error.ts';
import { referenceOfFile } from './image-reference.ts';
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
  const names = await namesIn(source.names);
  for (const name of names) await copyName(join(source.names, name), join(target.names, name));
  const gone = (await namesIn(target.names)).filter((name) => !names.includes(name));
  for (const name of gone) await rm(join(target.names, name), { force: true });
}

/** What others are just writing there is theirs. */
async function namesIn(directory: string): Promise<readonly string[]> {
  return (await readdir(directory)).filter((file) => referenceOfFile(file) !== undefined);
}

async function copyName(from: string, to: string): Promise<void> {
  const [text, known] = await Promise.all([read(from), read(to)]);
  if (text === undefined || text === known) return;
  // Others look at the same time. What a loss of power damages is copied anew.
  await writeFileSafely(to, text, { mode: 0o644, isDurable: false });
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
