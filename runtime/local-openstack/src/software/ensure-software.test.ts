import { mkdir, mkdtemp, readdir, rename, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { ensureSoftware, findSoftware, whyUnsupported } from './ensure-software.ts';
import { packageNames } from './package-names.ts';

it('finds nothing in a cache without it', async () => {
  await using cache = await makeCache();

  expect(await findSoftware({ cacheDirectory: cache.path })).toBeUndefined();
});

it('waits for another that builds it already', async () => {
  await using cache = await makeCache();
  const name = basename(await ensureSoftware());
  const building = join(cache.path, `building-${process.pid}-${name}-other`);
  await mkdir(building);

  const found = ensureSoftware({ cacheDirectory: cache.path, signal: AbortSignal.timeout(20_000) });
  await turn();
  await rename(building, join(cache.path, name));

  expect(await found).toBe(join(cache.path, name));
});

it('gives up waiting when it is told to, and sweeps what nobody uses any more', async () => {
  await using cache = await makeCache();
  const name = basename(await ensureSoftware());
  for (const each of [`building-${process.pid}-${name}-other`, 'building-4194305-gone', 'debian-12-old'])
    await mkdir(join(cache.path, each));
  await utimes(join(cache.path, 'debian-12-old'), 0, 0);
  const enough = new AbortController();

  const found = ensureSoftware({ cacheDirectory: cache.path, signal: enough.signal });
  enough.abort();

  await expect(found).rejects.toThrow('aborted');
  expect(await readdir(cache.path)).toEqual([`building-${process.pid}-${name}-other`]);
});

it.each([
  { release: 'debian-12', architecture: 'x64', why: undefined },
  { release: 'debian-12', architecture: 'arm64', why: expect.stringContaining('this is debian-12 on arm64') },
  { release: 'debian-13', architecture: 'x64', why: expect.stringContaining('this is debian-13 on x64') },
])('knows whether it can be made on $release of $architecture', ({ release, architecture, why }) => {
  expect(whyUnsupported(release, architecture)).toEqual(why);
});

it('names every package once', () => {
  const names = packageNames();

  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain('python3-nova');
});

interface Cache extends AsyncDisposable {
  readonly path: string;
}

async function makeCache(): Promise<Cache> {
  const path = await mkdtemp(join(tmpdir(), 'smalt-openstack-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
