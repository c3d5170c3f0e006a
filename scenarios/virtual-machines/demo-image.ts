import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeImage } from '@smalt/bed-kubernetes';
import { buildDemoDisk, ensureGuestImage } from '@smalt/guest-image';

/** The image of the disk that machines boot from. */
export const DEMO_DISK = 'smalt.local/demo:1';

/** Makes that image as an OCI archive in a directory, and gives its path. */
export async function makeDemoImage(directory: string, signal: AbortSignal): Promise<string> {
  const disk = join(directory, 'demo.img');
  const path = join(directory, 'demo.tar');
  await buildDemoDisk({ path: disk, image: await ensureGuestImage({ signal }), words: ['login'], signal });
  const content = await readFile(disk);
  await writeImage(path, {
    name: DEMO_DISK,
    entries: [
      { kind: 'directory', path: 'disk' },
      { kind: 'file', path: 'disk/disk.img', content },
    ],
  });
  return path;
}
