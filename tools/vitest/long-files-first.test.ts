import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, it } from 'vitest';

import { longFirst } from './long-files-first.ts';
import { LONG_FILES } from './long-files.ts';

const root = resolve(import.meta.dirname, '../..');
const [longest = '', second = ''] = LONG_FILES;

it('begins with what takes longest, and leaves the rest in its order', () => {
  const files = ['/r/b.test.ts', `/r/${second}`, '/r/a.test.ts', `/r/${longest}`];

  expect(longFirst(files, (path) => path)).toEqual([`/r/${longest}`, `/r/${second}`, '/r/b.test.ts', '/r/a.test.ts']);
});

it('takes no other file of the same name for a long one', () => {
  const files = ['/r/b.test.ts', `/r/not-${longest}`];

  expect(longFirst(files, (path) => path)).toEqual(files);
});

it('knows no file that is gone, and none twice', () => {
  expect(LONG_FILES.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(new Set(LONG_FILES).size).toBe(LONG_FILES.length);
});
