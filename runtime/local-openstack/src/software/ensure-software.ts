import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { LocalOpenStackError } from '../local-openstack-error.ts';
import { makeState } from './make-state.ts';
import { RECIPE } from './recipe.ts';
import { unpackPackages } from './unpack-packages.ts';

const CACHE = '/var/cache/smalt/openstack';
/** The release whose packages are listed, with paths of the one architecture. */
const RELEASE = 'debian-12';
const ARCHITECTURE = 'x64';
const TIMEOUT_MS = 900_000;
const POLL_MS = 500;
const KEPT_MS = 14 * 24 * 3_600_000;

export interface SoftwareOptions {
  /** Where the software is kept from one run to the next. */
  readonly cacheDirectory?: string | undefined;
  /** Hears what is being done: making the software takes minutes. */
  readonly onProgress?: ((words: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Gives the directory of OpenStack's programs and of the state every cloud begins with: from the cache, without network,
 * or else made of Debian packages, none of which is installed.
 */
export async function ensureSoftware(options: SoftwareOptions = {}): Promise<string> {
  const present = await findSoftware(options);
  if (present !== undefined) {
    const now = new Date();
    await utimes(present, now, now);
    return present;
  }
  const why = whyUnsupported(await systemRelease(), process.arch);
  if (why !== undefined) throw new LocalOpenStackError('unsupported-system', why);
  const cache = options.cacheDirectory ?? CACHE;
  await mkdir(cache, { recursive: true });
  await sweep(cache);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const onProgress = options.onProgress ?? ((): void => undefined);
  onProgress('waiting for another that makes the software');
  await waitForBuilder(cache, await softwareName(), signal);
  return (await findSoftware(options)) ?? buildInto(cache, { onProgress, signal });
}

/** Whether a cloud can be had on this machine: its software is there, or can be made here. */
export async function canRunOpenStack(options: SoftwareOptions = {}): Promise<boolean> {
  return (await whyNoOpenStack(options)) === undefined;
}

/** Why no cloud can be had on this machine; undefined where one can. */
export async function whyNoOpenStack(options: SoftwareOptions = {}): Promise<string | undefined> {
  return (await findSoftware(options)) === undefined ? whyUnsupported(await systemRelease(), process.arch) : undefined;
}

/** Why OpenStack cannot be made on such a machine; undefined where it can. */
export function whyUnsupported(release: string, architecture: string): string | undefined {
  if (release === RELEASE && architecture === ARCHITECTURE) return undefined;
  return `OpenStack's packages are listed for ${RELEASE} on ${ARCHITECTURE} only, and this is ${release} on ${architecture}`;
}

/** The directory in the cache, if it is there. */
export async function findSoftware(options: SoftwareOptions = {}): Promise<string | undefined> {
  const directory = join(options.cacheDirectory ?? CACHE, await softwareName());
  // It is moved here when it is whole, so its directory is enough to look for.
  return existsSync(directory) ? directory : undefined;
}

interface Building {
  readonly onProgress: (words: string) => void;
  readonly signal: AbortSignal;
}

async function buildInto(cache: string, { onProgress, signal }: Building): Promise<string> {
  const name = await softwareName();
  const target = join(cache, name);
  const building = join(cache, `building-${process.pid}-${name}-${randomUUID()}`);
  try {
    await mkdir(building, { mode: 0o700 });
    await unpackPackages(building, { onProgress, signal });
    await rm(join(building, 'downloads'), { recursive: true });
    onProgress('setting up the first cloud');
    await makeState(building, signal);
    await rename(building, target).catch((error: unknown) => {
      if (!isTaken(error)) throw error;
    });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return target;
}

/** Whoever is first builds, and others wait. Two that begin in the same moment both build, and one of them is thrown away. */
async function waitForBuilder(cache: string, name: string, signal: AbortSignal): Promise<void> {
  const isBuilt = async (): Promise<boolean> =>
    (await readdir(cache)).some((entry) => {
      const [, owner, rest] = /^building-(\d+)-(.*)$/.exec(entry) ?? [];
      return rest?.startsWith(name) === true && existsSync(`/proc/${owner}`);
    });
  while (await isBuilt()) await delay(POLL_MS, undefined, { signal });
}

/** Removes what builders that were killed left, and software of recipes that nobody used for weeks. */
async function sweep(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    const owner = /^building-(\d+)-/.exec(name)?.[1];
    const isLeft = owner === undefined ? await isUnused(path) : !existsSync(`/proc/${owner}`);
    if (isLeft) await rm(path, { recursive: true, force: true });
  }
}

async function isUnused(path: string): Promise<boolean> {
  return Date.now() - (await stat(path)).mtimeMs > KEPT_MS;
}

/** Tells apart the release and the recipe; a newer package of the same release does not spoil the cache. */
async function softwareName(): Promise<string> {
  return `${await systemRelease()}-${RECIPE}`;
}

async function systemRelease(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8');
  const value = (key: string): string => new RegExp(`^${key}="?([\\w.-]+)`, 'm').exec(release)?.[1] ?? 'unknown';
  return `${value('ID')}-${value('VERSION_ID')}`;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST');
}
