import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip, zstdCompress } from 'node:zlib';

import { tarArchive } from '../tar/tar-archive.ts';
import { completeTree, type TreeEntry } from '../tree/file-tree.ts';

export type Compression = 'zstd' | 'gzip';

/** A layer as a registry keeps it. */
export interface Layer {
  readonly name: string;
  /** Of the archive before it is compressed. */
  readonly diffId: string;
  readonly digest: string;
  readonly mediaType: string;
  readonly content: Buffer;
  readonly unpackedBytes: number;
}

export interface LayerOptions {
  readonly name: string;
  readonly compression: Compression;
  /** Where compressed layers stay from one run to the next: the largest takes five seconds of a processor. */
  readonly cache: string;
}

const MEDIA_TYPE = 'application/vnd.oci.image.layer.v1.tar';
/** Node in five seconds of a processor; level 19 takes more than a minute, for a tenth less. */
const ZSTD_LEVEL = 12;
const GZIP_LEVEL = 9;

/** Makes a layer of files. The same files are the same layer, wherever and whenever it is made. */
export async function makeLayer(
  entries: Iterable<readonly [string, TreeEntry]>,
  { name, compression, cache }: LayerOptions,
): Promise<Layer> {
  const archive = Buffer.concat([...tarArchive(completeTree(entries))]);
  const diffId = sha256(archive);
  const content = await fromCache(join(cache, cacheName(diffId, compression)), async () =>
    compression === 'zstd' ? await byZstd(archive) : await promisify(gzip)(archive, { level: GZIP_LEVEL }),
  );
  return {
    name,
    diffId: `sha256:${diffId}`,
    digest: `sha256:${sha256(content)}`,
    mediaType: `${MEDIA_TYPE}+${compression}`,
    content,
    unpackedBytes: archive.length,
  };
}

async function byZstd(archive: Buffer): Promise<Buffer> {
  return await promisify(zstdCompress)(archive, {
    params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
    pledgedSrcSize: archive.length,
  });
}

/** What another version of the compressor made of the same bytes is not the same layer. */
function cacheName(diffId: string, compression: Compression): string {
  const version = compression === 'zstd' ? process.versions['zstd'] : process.versions.zlib;
  const level = compression === 'zstd' ? ZSTD_LEVEL : GZIP_LEVEL;
  return `${diffId}.${compression}-${version ?? 'unknown'}-${level}`;
}

async function fromCache(path: string, make: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const content = await make();
  await mkdir(join(path, '..'), { recursive: true });
  // Renamed when whole, so that a run that was cut short is never taken for a layer.
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, content);
  await rename(unfinished, path);
  return content;
}

/** The digest of bytes as hexadecimal digits. */
export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
