import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

const STORY = resolve(import.meta.dirname, '../fixtures/hidden-volumes-story.ts');

it.each([
  ['', []],
  [', also where a link leads to its directory', ['linked']],
])(
  'shows what only root gets to, images read-only, once each and until it is released%s',
  async (_, words) => {
    const { stdout } = await promisify(execFile)('unshare', ['--mount', process.execPath, STORY, ...words]);

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
