import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { ImageFile } from '@smalt/disk-image';
import type { DomainVolume } from '@smalt/domain-xml';

import type { DirectIo } from '../files/direct-io.ts';
import { ensureDirectory, ensureFile } from '../files/ensure-file.ts';
import { writeError } from '../files/file-error.ts';
import { mountsVolumes } from '../files/mounts-volumes.ts';
import { pathExists } from '../files/path-exists.ts';
import { volumeFile } from '../files/volume-files.ts';
import type { VolumeRequest } from '../volume-plugin.ts';
import { buildMedium, mediumFiles, type Medium } from './build-medium.ts';

/** Media end at a whole MiB: one that is made again elsewhere with some other bytes in it has the same size. */
const ALIGNMENT_BYTES = 1 << 20;

/** Makes a medium of files for the guest, which is a directory for a container. One that is there already is kept. */
export async function prepareMedium(
  directIo: DirectIo,
  request: VolumeRequest,
  content: () => Promise<Medium>,
): Promise<DomainVolume> {
  const { name } = request.volume;
  if (mountsVolumes(request)) {
    const path = volumeFile(request, 'files');
    if (!(await pathExists(path))) await writeFiles(path, mediumFiles(request, await content()));
    return { name, source: { kind: 'directory', path }, format: 'raw', supportsDirectIo: false };
  }
  const path = volumeFile(request, request.hypervisor.supportsIso ? 'medium.iso' : 'medium.img');
  await ensureFile(path, async () => {
    const bytes = buildMedium(request, await content());
    return { bytes, sizeBytes: Math.ceil(bytes.length / ALIGNMENT_BYTES) * ALIGNMENT_BYTES };
  });
  return { name, source: { kind: 'file', path }, format: 'raw', supportsDirectIo: await directIo.supports(path) };
}

async function writeFiles(path: string, files: readonly ImageFile[]): Promise<void> {
  const growing = `${path}.growing`;
  await ensureDirectory(dirname(path));
  try {
    await rm(growing, { recursive: true, force: true });
    await mkdir(growing, { mode: 0o700 });
    for (const { path: below, content } of files) {
      await mkdir(dirname(join(growing, below)), { recursive: true, mode: 0o755 });
      await writeFile(join(growing, below), content, { mode: 0o600, flag: 'wx' });
    }
    await chmod(growing, 0o755);
    await rename(growing, path);
  } catch (error) {
    await rm(growing, { recursive: true, force: true });
    throw writeError(error, dirname(path));
  }
}
