import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

const STORIES = resolve(import.meta.dirname, '../fixtures');

it.each([
  ['', []],
  [', also where a link leads to its directory', ['linked']],
])(
  'shows what only root gets to, images read-only, once each and until it is released%s',
  async (_, words) => {
    const { stdout } = await promisify(execFile)('unshare', [
      '--mount',
      process.execPath,
      join(STORIES, 'hidden-volumes-story.ts'),
      ...words,
    ]);

    expect(JSON.parse(stdout)).toEqual({
      mounts: ['/instance/shown/open', '/instance/shown/closed', '/instance/shown/claim'],
      link: '/instance/shown/open/disk/disk.img',
      claim: '/instance/shown/claim/disk.img',
      writingToClaim: 'done',
      isCopy: true,
      first: 'x',
      writing: 'EROFS',
      removing: 'EROFS',
      after: [],
    });
  },
  30_000,
);

it('takes away no mount of others for the name of a volume, whoever asks', async () => {
  const story = join(STORIES, 'foreign-mounts-story.ts');

  const { stdout } = await promisify(execFile)('unshare', ['--mount', process.execPath, story]);

  expect(JSON.parse(stdout)).toEqual({
    release: ['done', 'done', 'done'],
    hide: ['bad-volume', 'bad-volume', 'bad-volume'],
    after: ['/foreign', '/foreign/shown/data'],
    isProcThere: true,
  });
}, 30_000);

it('follows no link that somebody puts in the place of a disk later, and all where the guest has the directory', async () => {
  const story = join(STORIES, 'swapped-claim-story.ts');

  const { stdout } = await promisify(execFile)('unshare', ['--mount', process.execPath, story]);

  expect(JSON.parse(stdout)).toEqual({
    before: ['of the claim', 'of the claim'],
    after: ['ELOOP', 'ELOOP'],
    writing: ['ELOOP', 'EROFS'],
    flags: ['noatime', 'nosuid', 'nosymfollow', 'ro'],
    shared: 'of the node',
    kept: 'of the node',
  });
}, 30_000);

it('shares what may only be read so that nobody can write to it by its path, and follows what is swapped in it', async () => {
  const story = join(STORIES, 'read-only-directories-story.ts');

  const { stdout } = await promisify(execFile)('unshare', ['--mount', process.execPath, story]);

  expect(JSON.parse(stdout)).toEqual({
    unseen: expect.stringContaining('mount --make-shared'),
    mounts: ['settings', 'token', 'fixed', 'local'].map((name) => `/instance/shown/${name}`),
    flags: ['nodev', 'noexec', 'nosuid', 'ro'],
    volumes: [0, 1, 2, 3].map(() => [true, true]),
    before: ['first', 'first', 'first', 'first'],
    after: ['second', 'first', 'second', 'first'],
    writing: ['EROFS'],
    left: ['/runtime/local/more'],
  });
}, 30_000);
