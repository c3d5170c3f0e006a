import { mkdir, mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { buildOnce, type BuiltDirectory } from './build-once.ts';

it('is built by one of those who ask at once, and the others have it, too', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-build-'));
  const seen: string[] = [];
  const pages = pagesIn(place.path, () => seen.push('built'));

  await Promise.all([1, 2, 3].map(() => buildOnce(pages, AbortSignal.timeout(20_000))));

  expect(seen).toEqual(['built']);
  expect(await readFile(join(pages.path, 'index.html'), 'utf8')).toBe('page 1');
  expect((await readdir(place.path)).toSorted()).toEqual(['pages', 'pages.lock']);
});

it('takes the place of what was there when it is whole, not before', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-build-'));
  const path = join(place.path, 'pages');
  await mkdir(path);
  await writeFile(join(path, 'old.html'), 'old');
  const during: (readonly string[])[] = [];
  const pages = pagesIn(place.path, async () => during.push(await readdir(path)));

  await buildOnce(pages, AbortSignal.timeout(20_000));

  expect([during, await readdir(path)]).toEqual([[['old.html']], ['index.html']]);
});

it('leaves what was there when it fails, and lets the next one try', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-build-'));
  const failing = pagesIn(place.path, () => Promise.reject(new Error('no room')));

  await expect(buildOnce(failing, AbortSignal.timeout(20_000))).rejects.toThrow('no room');
  const left = await readdir(place.path);
  await buildOnce(pagesIn(place.path), AbortSignal.timeout(20_000));

  expect(left).toEqual(['pages.lock']);
  expect(await readdir(join(place.path, 'pages'))).toEqual(['index.html']);
});

it('is made anew each time where nobody says whether it is current, by one after the other', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-build-'));
  const beside: number[] = [];
  const { isCurrent: _, ...pages } = pagesIn(place.path, async () => {
    const names = await readdir(place.path);
    beside.push(names.filter((name) => name.startsWith('pages-building-')).length);
  });

  const built = await Promise.all([1, 2, 3].map(() => buildOnce(pages, AbortSignal.timeout(20_000))));

  expect([built.toSorted((one, other) => (one ?? 0) - (other ?? 0)), beside]).toEqual([
    [1, 2, 3],
    [1, 1, 1],
  ]);
  expect(await readFile(join(pages.path, 'index.html'), 'utf8')).toBe('page 3');
});

it('has the time when its building began, since what was changed meanwhile may not be in it', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-build-'));
  const source = join(place.path, 'source');
  let during = 0;
  const pages = pagesIn(place.path, async () => {
    during = Date.now();
    // The times of files lag behind the clock a little.
    await expect.poll(() => changedAt(source)).toBeGreaterThan(during);
  });

  await buildOnce(pages, AbortSignal.timeout(20_000));

  expect((await stat(join(pages.path, 'index.html'))).mtimeMs).toBeLessThanOrEqual(during);
});

it('sweeps away what somebody began who was killed, and nothing of others', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-build-'));
  await mkdir(join(place.path, 'pages-building-killed/new'), { recursive: true });
  await writeFile(join(place.path, 'pages-building-killed/new/half.html'), '<p>');
  await mkdir(join(place.path, 'other-pages-building-killed'));

  await buildOnce(pagesIn(place.path), AbortSignal.timeout(20_000));

  expect((await readdir(place.path)).toSorted()).toEqual(['other-pages-building-killed', 'pages', 'pages.lock']);
});

it('is not waited for any longer than the signal says', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-build-'));
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stuck = pagesIn(place.path, async () => {
    begun.resolve();
    await gate.promise;
  });
  const first = buildOnce(stuck, AbortSignal.timeout(20_000));
  await begun.promise;
  const stop = new AbortController();

  const second = buildOnce(pagesIn(place.path), stop.signal);
  stop.abort(new Error('too late'));
  await expect(second).rejects.toThrow('too late');
  gate.resolve();
  await first;

  expect(await readdir(join(place.path, 'pages'))).toEqual(['index.html']);
});

async function changedAt(path: string): Promise<number> {
  await writeFile(path, 'changed');
  return (await stat(path)).mtimeMs;
}

/** Pages that are current once there is one; before it is written something else may happen. */
function pagesIn(place: string, before: () => unknown = () => undefined): BuiltDirectory<number> {
  const path = join(place, 'pages');
  let builds = 0;
  return {
    path,
    dated: 'index.html',
    isCurrent: async () => (await readdir(path).catch((): string[] => [])).includes('index.html'),
    build: async (directory) => {
      builds += 1;
      await before();
      await mkdir(directory);
      await writeFile(join(directory, 'index.html'), `page ${builds}`);
      return builds;
    },
  };
}
