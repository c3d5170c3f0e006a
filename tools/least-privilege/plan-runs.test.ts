import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { planRuns, storyDirectories } from './plan-runs.ts';
import { STORIES } from './stories.ts';

const stories = [
  { file: 'a/b.test.ts' },
  { file: 'c.slow.test.ts', on: 'ours' },
  { file: 'd.test.ts', on: 'kubernetes' },
] as const;

describe('planRuns', () => {
  it('has each story on the servers that it is for', () => {
    const runs = planRuns(stories, { isOursAlone: false, names: [] });

    expect(runs.map(({ title, words }) => [title, words.join(' ')])).toEqual([
      ['a/b.test.ts on ours', 'a/b.test.ts'],
      ['a/b.test.ts on kubernetes', '--mode kubernetes a/b.test.ts'],
      ['c.slow.test.ts on ours', '--mode slow c.slow.test.ts'],
      ['d.test.ts on kubernetes', '--mode kubernetes d.test.ts'],
    ]);
    expect(new Set(runs.map(({ directory }) => directory)).size).toBe(4);
  });

  it('leaves the real server out, or all files but some, where that is asked for', () => {
    expect(planRuns(stories, { isOursAlone: true, names: [] })).toHaveLength(2);
    expect(planRuns(stories, { isOursAlone: false, names: ['b.test', 'nothing'] })).toHaveLength(2);
  });
});

it('knows no story that is gone, and none twice', () => {
  const root = resolve(import.meta.dirname, '../..');
  const files = STORIES.map(({ file }) => file);

  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});

it('knows the logs of all stories, whichever are run, and of no others', () => {
  expect([...storyDirectories(stories)]).toEqual([
    'ours a b.test.ts',
    'kubernetes a b.test.ts',
    'ours c.slow.test.ts',
    'kubernetes d.test.ts',
  ]);
});
