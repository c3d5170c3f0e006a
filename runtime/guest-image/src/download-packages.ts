import { readdir } from 'node:fs/promises';

import { runProgram } from '@smalt/libvirt-daemon';
import type { RunOptions } from '@smalt/libvirt-daemon';

import { GuestImageError } from './guest-image-error.ts';

const APT_CACHE = { name: 'apt-cache', debianPackage: 'apt' } as const;
const APT_GET = { name: 'apt-get', debianPackage: 'apt' } as const;
const KERNEL = 'linux-image-cloud-amd64';
const LOCK = ['-o', 'DPkg::Lock::Timeout=900'] as const;

export type DownloadOptions = Pick<RunOptions, 'signal' | 'environment'>;

/** Downloads Debian's cloud kernel, busybox and guest agent into a directory and gives the names of the files. */
export async function downloadPackages(directory: string, options: DownloadOptions = {}): Promise<readonly string[]> {
  try {
    await download(directory, options);
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    // apt's lists are missing, or older than what the mirror holds. If it is anything else, it shows again.
    await runProgram(APT_GET, ['update', '--quiet', ...LOCK], options);
    await download(directory, options);
  }
  return (await readdir(directory)).filter((name) => name.endsWith('.deb')).toSorted();
}

async function download(directory: string, options: DownloadOptions): Promise<void> {
  const depends = (await runProgram(APT_CACHE, ['depends', KERNEL], options)).toString();
  const kernel = /Depends: (linux-image-\S+)/.exec(depends)?.[1];
  if (kernel === undefined)
    throw new GuestImageError('unusable-packages', `apt does not know what ${KERNEL} stands for`);
  const names = [kernel, 'busybox-static', 'qemu-guest-agent'];
  await runProgram(APT_GET, ['download', '--quiet', ...names], { ...options, directory });
}
