import { existsSync, watch, writeFileSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ensureLastingDisk } from './ensure-lasting-disk.ts';

const MIB = 1 << 20;
const UUID = '6a1a24a1-4061-4607-8bf4-a3963d0c5895';
const HOUR_MS = 3_600_000;

it('is made once, with its directory, and nothing beside it', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-disk-'));
  const path = join(place.path, 'a/disk.img');

  await ensureLastingDisk(path, MIB);
  await ensureLastingDisk(path, 2 * MIB);

  expect((await stat(path)).size).toBe(MIB);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(place.path, 'a'))).toEqual(['disk.img']);
});

it('never takes the place of one that came there meanwhile', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-disk-'));
  const path = join(place.path, 'disk.img');
  // Another instance was as early, and its guest writes already.
  const watcher = watch(place.path, (_, name) => {
    if (name?.endsWith('.smalt-growing') === true && !existsSync(path)) writeFileSync(path, 'of a guest');
  });

  await ensureLastingDisk(path, MIB).finally(() => watcher.close());

  expect(await readFile(path, 'utf8')).toBe('of a guest');
  expect(await readdir(place.path)).toEqual(['disk.img']);
});

it('is one for all who make it at once', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-disk-'));
  const path = join(place.path, 'disk.img');

  const seen = await Promise.all(Array.from({ length: 8 }, () => inodeOnceMade(path)));

  expect(new Set(seen)).toEqual(new Set([(await stat(path)).ino]));
  expect(await readdir(place.path)).toEqual(['disk.img']);
});

it('takes away what killed attempts at it left, and nothing else', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-disk-'));
  const forgotten = `disk.img.${UUID}.smalt-growing`;
  const others = [
    `disk.img.${UUID.replace('6', '7')}.smalt-growing`,
    `disk.img.${UUID}`,
    'disk.img.smalt-growing',
    `other-disk.img.${UUID}.smalt-growing`,
    `disk.img.2.${UUID}.smalt-growing`,
  ];
  for (const name of [forgotten, ...others]) await writeFile(join(place.path, name), 'x');
  // All but the first of the others, which somebody may be at, are old.
  for (const name of [forgotten, ...others.slice(1)]) await age(join(place.path, name));
  await mkdir(join(place.path, `disk.img.${UUID.replace('6', '8')}.smalt-growing`));

  await ensureLastingDisk(join(place.path, 'disk.img'), MIB);

  const directory = `disk.img.${UUID.replace('6', '8')}.smalt-growing`;
  expect((await readdir(place.path)).toSorted()).toEqual([...others, directory, 'disk.img'].toSorted());
});

it('leaves nothing half when it cannot be made', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-disk-'));

  await expect(ensureLastingDisk(join(place.path, 'disk.img'), Number.MAX_SAFE_INTEGER)).rejects.toThrow(
    /EFBIG|EINVAL/,
  );

  expect(await readdir(place.path)).toEqual([]);
});

async function inodeOnceMade(path: string): Promise<number> {
  await ensureLastingDisk(path, MIB);
  return (await stat(path)).ino;
}

async function age(path: string): Promise<void> {
  const then = new Date((await stat(path)).mtimeMs - HOUR_MS);
  await utimes(path, then, then);
}
