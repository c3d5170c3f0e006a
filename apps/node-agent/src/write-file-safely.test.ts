import {
  mkdir,
  mkdtempDisposable,
  open,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, expect, it, vi } from 'vitest';

import { writeFileSafely } from './write-file-safely.ts';

afterEach(() => vi.restoreAllMocks());

it('has the content on the disk, and then the name, before it says so', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-write-'));
  const path = join(directory.path, 'kept.json');
  const synced = await watchSyncs();

  await writeFileSafely(path, 'new');

  expect(await Promise.all(synced)).toEqual([`${path}.new`, directory.path]);
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('follows no link that lies in its way', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-write-'));
  const victim = join(directory.path, 'victim');
  await writeFile(victim, 'untouched');
  await symlink(victim, join(directory.path, 'kept.json.new'));
  await symlink(victim, join(directory.path, 'kept.json'));

  await writeFileSafely(join(directory.path, 'kept.json'), 'new');

  expect(await readFile(victim, 'utf8')).toBe('untouched');
  expect(await readFile(join(directory.path, 'kept.json'), 'utf8')).toBe('new');
});

it('leaves nothing behind when it fails', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-write-'));
  await mkdir(join(directory.path, 'kept.json', 'in-the-way'), { recursive: true });

  await expect(writeFileSafely(join(directory.path, 'kept.json'), 'new')).rejects.toThrow('EISDIR');

  expect(await readdir(directory.path)).toEqual(['kept.json']);
});

/** The paths of what is written through to the disk, in order, as they are at that moment. */
async function watchSyncs(): Promise<readonly Promise<string>[]> {
  const synced: Promise<string>[] = [];
  await using handle = await open('/dev/null');
  const prototype: typeof handle = Object.getPrototypeOf(handle);
  for (const name of ['sync', 'datasync'] as const) {
    const real = prototype[name];
    vi.spyOn(prototype, name).mockImplementation(async function (this: typeof handle) {
      const path = readlink(`/proc/self/fd/${this.fd}`);
      synced.push(path);
      await path;
      await real.call(this);
    });
  }
  return synced;
}
