import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { DomainVolume } from '@smalt/domain-xml';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { DirectIo } from './direct-io.ts';

const BLOCK_BYTES = 512;

export interface RawDisk {
  readonly name: string;
  /** Where the guest's domain looks for it. */
  readonly path: string;
  readonly kind: 'file' | 'block';
  readonly isReadOnly?: boolean | undefined;
}

/**
 * A disk that is raw whatever it holds: a guest that could write the header of another format into it could have other
 * files opened at its next start.
 */
export async function rawDisk(directIo: DirectIo, { name, path, kind, isReadOnly }: RawDisk): Promise<DomainVolume> {
  const { size, blocks } = await stat(path);
  return {
    name,
    source: { kind, path },
    format: 'raw',
    supportsDirectIo: await directIo.supports(path),
    ...(kind === 'file' && size > 0 && blocks * BLOCK_BYTES >= size ? { isPreallocated: true } : {}),
    ...(isReadOnly === true ? { isReadOnly } : {}),
  };
}

/** The bytes that can still be written where a file is to be. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize;
}

/** Throws `disk-full` unless so many bytes can be written where a file is to be. */
export async function requireRoom(path: string, bytes: number): Promise<void> {
  const free = await freeBytes(path);
  if (free >= bytes) return;
  const message = `${dirname(path)} has ${free} bytes left and the disk needs ${bytes}; make room there, or ask for less`;
  throw new VirtHandlerError('disk-full', message);
}
