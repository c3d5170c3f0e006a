import { readFile } from 'node:fs/promises';

import { ImagesError } from '../images-error.ts';
import type { DebianPackage } from './debian-package.ts';

/** One package to the byte. */
export type LockedPackage = Pick<DebianPackage, 'name' | 'version' | 'architecture' | 'sha256'>;

/** The packages that images of a commit are made of. */
export interface DebianLock {
  /** The day on which they were the newest: `2026-01-31`. */
  readonly date: string;
  readonly packages: readonly LockedPackage[];
}

const HEAD = /^# .* on (\d{4}-\d{2}-\d{2})[.]/;
const LINE = /^([a-z0-9][a-z0-9+.-]+) ([A-Za-z0-9.+~:-]+) ([a-z0-9]+) ([0-9a-f]{64})$/;
const DAY_MS = 86_400_000;

/** Reads a lock; undefined where there is none. Throws `bad-archive` for one that was changed by hand, and names the line. */
export async function readLock(path: string): Promise<DebianLock | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : parseLock(text, path);
}

/** Reads the text of a lock. */
export function parseLock(text: string, path: string): DebianLock {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const date = HEAD.exec(head)?.[1];
  if (date === undefined) throw new ImagesError('bad-archive', `${path}:1 does not say of which day it is`);
  const packages = lines.map((line, index) => {
    const [, name, version, architecture, sha256] = LINE.exec(line) ?? [];
    if (name === undefined || version === undefined || architecture === undefined || sha256 === undefined)
      throw new ImagesError('bad-archive', `${path}:${index + 2} is no package: ${line}`);
    return { name, version, architecture, sha256 };
  });
  return { date, packages };
}

/** The text of a lock: a line for each package, sorted by name. */
export function lockText({ date, packages }: DebianLock): string {
  const lines = packages.map(
    ({ name, version, architecture, sha256 }) => `${name} ${version} ${architecture} ${sha256}`,
  );
  const head = `# The newest Debian packages for images on ${date}. Written by \`npm run images -- --update\`: name, version, architecture, sha256.`;
  return `${[head, ...lines.toSorted()].join('\n')}\n`;
}

/** In what packages are others than those of the lock, in words. */
export function differences(lock: DebianLock, packages: readonly LockedPackage[]): readonly string[] {
  const locked = new Map(lock.packages.map((one) => [one.name, one]));
  return packages.flatMap(({ name, version, sha256 }) => {
    const before = locked.get(name);
    if (before === undefined) return [`${name} ${version} instead of none`];
    return before.sha256 === sha256 ? [] : [`${name} ${version} instead of ${before.version}`];
  });
}

/** How long ago a day was, in words. */
export function ageText(date: string, now: number): string {
  const days = Math.max(0, Math.floor((now - Date.parse(date)) / DAY_MS));
  return days === 0 ? 'today' : days === 1 ? '1 day ago' : `${days} days ago`;
}
