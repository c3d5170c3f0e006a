import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { buildGuestImage } from './build-guest-image.ts';
import { GUEST_FILES, GUEST_MODULES } from './guest-init.ts';

const CACHE = '/var/cache/smalt/guest';
/** To be raised by whoever changes how images are made; what goes into them is told apart by itself. */
const RECIPE = 2;

/** A Linux that boots in seconds under emulation. */
export interface GuestImage {
  readonly kernelPath: string;
  readonly initramfsPath: string;
}

export interface GuestImageOptions {
  /** Where images are kept from one run to the next. */
  readonly cacheDirectory?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Gives the guest's kernel and initramfs: from the cache, without network, or else made of Debian packages. */
export async function ensureGuestImage(options: GuestImageOptions = {}): Promise<GuestImage> {
  const present = await findGuestImage(options);
  if (present) return present;
  const cache = options.cacheDirectory ?? CACHE;
  const name = await imageName();
  await mkdir(cache, { recursive: true });
  await sweep(cache, await readdir(cache));
  await buildInto(cache, name, options.signal);
  return imageIn(cache, name);
}

/** The image in the cache, if there is one. */
export async function findGuestImage(options: GuestImageOptions = {}): Promise<GuestImage | undefined> {
  const cache = options.cacheDirectory ?? CACHE;
  const name = await imageName();
  // An image is moved here when it is whole, so its directory is enough to look for.
  return existsSync(join(cache, name)) ? imageIn(cache, name) : undefined;
}

function imageIn(cache: string, name: string): GuestImage {
  return { kernelPath: join(cache, name, 'kernel'), initramfsPath: join(cache, name, 'initramfs') };
}

/** Whoever is first moves a whole image into place; a builder that is killed leaves only a directory to sweep. */
async function buildInto(cache: string, name: string, signal?: AbortSignal): Promise<void> {
  const building = join(cache, `building-${process.pid}-${randomUUID()}`);
  try {
    await buildGuestImage(join(building, 'work'), signal);
    const image = join(building, 'image');
    await mkdir(image);
    for (const file of ['kernel', 'initramfs', 'packages'])
      await rename(join(building, 'work', file), join(image, file));
    await rename(image, join(cache, name)).catch((error: unknown) => {
      if (!isTaken(error)) throw error;
    });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

async function sweep(cache: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const owner = /^building-(\d+)-/.exec(name)?.[1];
    if (owner !== undefined && !isProcessAlive(Number(owner))) {
      await rm(join(cache, name), { recursive: true, force: true });
    }
  }
}

/** Tells apart the Debian release and the recipe; a newer package of the same release does not spoil a warm cache. */
async function imageName(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8');
  const field = (key: string): string => new RegExp(`^${key}="?([\\w.-]+)`, 'm').exec(release)?.[1] ?? 'unknown';
  const hash = createHash('sha256').update(JSON.stringify([RECIPE, GUEST_FILES, GUEST_MODULES]));
  return `${field('ID')}-${field('VERSION_ID')}-${hash.digest('hex').slice(0, 12)}`;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST');
}

/** Whether a process with this pid exists, of whatever user. */
function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
