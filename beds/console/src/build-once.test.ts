import { mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
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

/** Pages that are current once there is one; before it is written something else may happen. */
function pagesIn(place: string, before: () => unknown = () => undefined): BuiltDirectory {
  const path = join(place, 'pages');
  let builds = 0;
  return {
    path,
    isCurrent: async () => (await readdir(path).catch((): string[] => [])).includes('index.html'),
    build: async (directory) => {
      builds += 1;
      await before();
      await mkdir(directory);
      await writeFile(join(directory, 'index.html'), `page ${builds}`);
    },
  };
}
