import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

import { describeDiskImage, DiskImageError, IMAGE_HEAD_BYTES, type DiskImageDescription } from '@smalt/disk-image';

import { hasCode } from './file-error.ts';
import { ImageStoreError } from './image-store-error.ts';
import type { ImportOptions } from './import-options.ts';

export interface CopiedFile {
  readonly digest: string;
  readonly sizeBytes: number;
}

export interface CopiedImage extends DiskImageDescription, CopiedFile {}

const CHUNK_BYTES = 1 << 20;
const HOLE_BYTES = 64 << 10;

/** Copies an image to a new file, with holes for its zeros, and tells its digest. The copy is on the disk when it resolves. */
export async function copyImage(from: string, to: string, options: ImportOptions): Promise<CopiedImage> {
  await using source = await openSource(from);
  const description = await describe(source, from, (await source.stat()).size);
  return { ...description, ...(await copyOpened(source, { from, to }, options)) };
}

/** The same for a file that is no disk, whatever it holds. */
export async function copyPlainFile(from: string, to: string, options: ImportOptions): Promise<CopiedFile> {
  await using source = await openSource(from);
  return await copyOpened(source, { from, to }, options);
}

async function copyOpened(
  source: FileHandle,
  { from, to }: { readonly from: string; readonly to: string },
  options: ImportOptions,
): Promise<CopiedFile> {
  const { size } = await source.stat();
  await using target = await open(to, 'wx', 0o644);
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let position = 0;
  while (true) {
    options.signal?.throwIfAborted();
    const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await writeAllButZeros(target, chunk, position);
    position += bytesRead;
    options.onProgress?.({ bytes: position, totalBytes: Math.max(size, position) });
  }
  if (position !== size) throw new ImageStoreError('unreadable-file', `${from} changed while it was read; try again`);
  await target.truncate(position);
  await target.sync();
  return { digest: `sha256:${hash.digest('hex')}`, sizeBytes: position };
}

async function openSource(path: string): Promise<FileHandle> {
  try {
    // Without this a pipe without a writer would hold the caller for ever.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'ELOOP', 'ENXIO')) throw error;
    throw new ImageStoreError('unreadable-file', `${path} cannot be read; name the file of an image`, { cause: error });
  }
  throw new ImageStoreError('unreadable-file', `${path} is no file; name the file of an image`);
}

async function describe(source: FileHandle, path: string, size: number): Promise<DiskImageDescription> {
  const head = Buffer.alloc(IMAGE_HEAD_BYTES);
  const { bytesRead } = await source.read(head, 0, head.length, 0);
  try {
    return describeDiskImage(head.subarray(0, bytesRead), size);
  } catch (error) {
    if (!(error instanceof DiskImageError)) throw error;
    throw new ImageStoreError('unsupported-image', `${path}: ${error.message}`, { cause: error });
  }
}

async function writeAllButZeros(target: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let start = 0; start < chunk.length; start += HOLE_BYTES) {
    const part = chunk.subarray(start, start + HOLE_BYTES);
    if (ZEROS.subarray(0, part.length).equals(part)) continue;
    await writeWhole(target, part, position + start);
  }
}

const ZEROS = Buffer.alloc(HOLE_BYTES);

async function writeWhole(target: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await target.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
