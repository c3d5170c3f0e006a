import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeImage } from '../images/write-image.ts';
import type { ClusterPrograms } from '../kubernetes-programs.ts';
import { PAUSE_IMAGE } from './node-settings.ts';

export const DNS_IMAGE = 'smalt.local/bed/coredns:1';

/** Writes the images that each cluster needs, made of programs of the bed, and gives their paths. */
export async function writeClusterImages(directory: string, programs: ClusterPrograms): Promise<readonly string[]> {
  const wanted = [
    { name: PAUSE_IMAGE, file: 'pause', program: programs.pause },
    { name: DNS_IMAGE, file: 'coredns', program: programs.coredns },
  ];
  return await Promise.all(
    wanted.map(async ({ name, file, program }) => {
      const path = join(directory, `${file}.tar`);
      const content = await readFile(program);
      await writeImage(path, {
        name,
        entries: [{ kind: 'file', path: file, content, isExecutable: true }],
        entrypoint: [`/${file}`],
      });
      return path;
    }),
  );
}
