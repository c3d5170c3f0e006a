import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it, vi } from 'vitest';

import { buildImages, packagesOf, type BuildOptions } from './build-images.ts';
import { ageText, differences, lockText, parseLock, readLock } from './debian/debian-lock.ts';
import type { DebianMirror } from './fixtures/debian-mirror.ts';
import { smallDebian } from './fixtures/small-debian.ts';
import { workplace } from './fixtures/workplace.ts';
import { imageRecipes, type ImageRecipe } from './recipes.ts';

vi.setConfig({ testTimeout: 120_000 });

const LOCK = join(import.meta.dirname, '../debian-12.lock');
const recipe: ImageRecipe = {
  name: 'small',
  title: 'A small image',
  product: 'none',
  wanted: { tool: ['usr/bin/flock'] },
  user: '0:0',
  entrypoint: ['/usr/bin/flock'],
};
const NEWER = { name: 'tool', version: '2', depends: 'libc6', files: { 'usr/bin/flock': { copyOf: '/usr/bin/true' } } };

it('is the same image from an empty cache, where the mirror has newer packages beside those of the lock', async () => {
  await using mirror = await smallDebian();
  await using first = await locked(mirror);
  await mirror.add(NEWER);
  await mirror.add({ name: 'aaa', files: { 'etc/aaa': 'x' } });

  const [again, once, updated] = await Promise.all([
    first.build({}),
    first.build({ isLocked: true }),
    first.build({ isUpdate: true }),
  ]);

  expect([again.digest, once.digest]).toEqual([first.digest, first.digest]);
  expect(updated.digest).not.toBe(first.digest);
  expect(again.said.filter((line) => line.startsWith('not the images'))).toEqual([]);
  expect(again.said).toContainEqual(expect.stringMatching(/^Debian packages of \d{4}-\d\d-\d\d, today .*lock/));
});

it('is made of the newest where the mirror has dropped one of the lock, and says in what it differs', async () => {
  await using mirror = await smallDebian();
  await using first = await locked(mirror);
  await mirror.add(NEWER);
  await mirror.drop('tool', '1');

  const other = await first.build({});

  expect(other.digest).not.toBe(first.digest);
  expect(other.said).toContain('not the images of this commit: tool 2 instead of 1');
  expect(other.said.at(-1)).toContain('not the images of this commit: 1 packages differ from');
});

it('is not made where the mirror has dropped one of the lock, if the lock has to be kept', async () => {
  await using mirror = await smallDebian();
  await using first = await locked(mirror);
  await mirror.add(NEWER);
  await mirror.drop('tool', '1');

  const refused = first.build({ isLocked: true });

  await expect(refused).rejects.toMatchObject({ code: 'changed-packages' });
  await expect(refused).rejects.toThrow(/tool 1\n.*--update\n.*--sources FILE/);
});

it('is the same image where the mirror has dropped what is here since an earlier run', async () => {
  await using mirror = await smallDebian();
  await using first = await locked(mirror);
  await mirror.add(NEWER);
  await mirror.drop('tool', '1');

  const again = await first.build({ isLocked: true, isSameCache: true });

  expect(again.digest).toBe(first.digest);
});

it('asks the mirror again before it takes another package for one that old lists do not have', async () => {
  await using mirror = await smallDebian();
  await using other = await workplace(mirror);
  await buildImages({ ...other.options, recipes: [recipe] });
  await mirror.add(NEWER);
  await using newer = await locked(mirror);

  const [image] = await buildImages({
    ...other.options,
    recipes: [recipe],
    lock: { path: newer.path, recipes: [recipe], isRequired: true },
  });

  expect(image?.digest).toBe(newer.digest);
});

it('asks the mirror again where it has dropped what old lists still have', async () => {
  await using mirror = await smallDebian();
  await using place = await workplace(mirror);
  const isUnused = { ...recipe, wanted: {} };
  await buildImages({ ...place.options, recipes: [isUnused] });
  await mirror.add(NEWER);
  await mirror.drop('tool', '1');

  await expect(buildImages({ ...place.options, recipes: [recipe] })).resolves.toHaveLength(1);
});

it('needs a lock where it has to be kept', async () => {
  await using mirror = await smallDebian();
  await using place = await workplace(mirror);
  const lock = { ...place.options.lock, isRequired: true };

  await expect(buildImages({ ...place.options, recipes: [recipe], lock })).rejects.toMatchObject({
    code: 'changed-packages',
  });
});

it('has every package that images name', async () => {
  const lock = parseLock(await readFile(LOCK, 'utf8'), LOCK);
  const names = new Set(lock.packages.map(({ name }) => name));

  expect(packagesOf(imageRecipes('12')).filter((name) => !names.has(name))).toEqual([]);
  expect(lockText(lock)).toBe(await readFile(LOCK, 'utf8'));
});

it('is written as it is read, and says in which line somebody has changed it', async () => {
  const lock = { date: '2026-01-31', packages: [entry('bb', '1:2~3+b-1'), entry('libstdc++6', '12')] };
  const text = lockText(lock);

  expect(parseLock(text, 'x')).toEqual(lock);
  expect(() => parseLock(text.replace('12 amd64', '12'), 'x')).toThrow(/^x:3 is no package: libstdc/);
  expect(() => parseLock('b 1 amd64\n', 'x')).toThrow(/^x:1 /);
  expect(await readLock('/nonexistent/lock')).toBeUndefined();
});

it('is compared by digests', () => {
  const lock = { date: '2026-01-31', packages: [entry('a', '1'), entry('b', '1')] };

  expect(differences(lock, lock.packages)).toEqual([]);
  expect(differences(lock, [{ ...entry('a', '1'), sha256: 'f'.repeat(64) }, entry('c', '2')])).toEqual([
    'a 1 instead of 1',
    'c 2 instead of none',
  ]);
});

it.each([
  ['2026-01-31T23:00:00Z', 'today'],
  ['2026-02-01T01:00:00Z', '1 day ago'],
  ['2026-03-02T01:00:00Z', '30 days ago'],
  ['2026-01-30T01:00:00Z', 'today'],
])('tells at %s the age of a lock', (now, text) => {
  expect(ageText('2026-01-31', Date.parse(now))).toBe(text);
});

interface Again {
  readonly isLocked?: boolean;
  readonly isUpdate?: boolean;
  readonly isSameCache?: boolean;
}

interface Locked extends AsyncDisposable {
  readonly digest: string | undefined;
  readonly path: string;
  build(again: Again): Promise<{ readonly digest: string | undefined; readonly said: readonly string[] }>;
}

/** An image whose packages were written into a lock, and how it is made again, from an empty cache. */
async function locked(mirror: DebianMirror): Promise<Locked> {
  const place = await workplace(mirror);
  const lock = { ...place.options.lock, recipes: [recipe] };
  const [image] = await buildImages({ ...place.options, recipes: [recipe], lock, isUpdate: true });
  return {
    digest: image?.digest,
    path: lock.path,
    build: async ({ isLocked = false, isUpdate = false, isSameCache = false }) => {
      await using own = await workplace(mirror);
      const said: string[] = [];
      const options: BuildOptions = {
        ...(isSameCache ? place : own).options,
        recipes: [recipe],
        lock: { ...lock, path: isUpdate ? own.options.lock.path : lock.path, isRequired: isLocked },
        isUpdate,
        report: (line) => said.push(line),
      };
      // As after a while: lists are fetched anew, and packages are still there.
      if (isSameCache) await rm(join(options.archive.cache, 'state'), { recursive: true });
      const [made] = await buildImages(options);
      return { digest: made?.digest, said };
    },
    [Symbol.asyncDispose]: async () => await place[Symbol.asyncDispose](),
  };
}

function entry(name: string, version: string): ReturnType<typeof parseLock>['packages'][number] {
  return { name, version, architecture: 'amd64', sha256: 'a'.repeat(64) };
}
