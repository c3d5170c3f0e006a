import { execFile as execFileCallback } from 'node:child_process';
import { mkdir, mkdtempDisposable, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { takeAwayShown } from './take-away-shown.ts';

const execFile = promisify(execFileCallback);

it('leaves what guests were shown to its owners when the data directory goes, also where a link leads to that', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-shown-'));
  const at = (path: string): string => join(place.path, path);
  await mkdir(at('claim'));
  await writeFile(at('claim/disk.img'), 'of a user');
  await symlink(at('data'), at('link'));
  const shown = 'data/virt-handler/instances/u-1/shown/disk';
  const other = 'data/volumes/of-a-user';
  for (const path of [shown, other]) {
    await mkdir(at(path), { recursive: true });
    await execFile('mount', ['--bind', at('claim'), at(path)]);
  }
  try {
    await takeAwayShown(at('link'), AbortSignal.timeout(10_000));
    await takeAwayShown(at('link'), AbortSignal.timeout(10_000));

    expect(await readdir(at(shown))).toEqual([]);
    expect(await readdir(at(other))).toEqual(['disk.img']);
  } finally {
    await execFile('umount', [at(other)]);
    await execFile('umount', [at(shown)]).catch(() => undefined);
  }
  await rm(at('data'), { recursive: true });
  expect(await readFile(at('claim/disk.img'), 'utf8')).toBe('of a user');
});
