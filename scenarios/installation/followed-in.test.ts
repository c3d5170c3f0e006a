import { expect, it } from 'vitest';

import { FOLLOWED_BLOCKS, isOf } from './followed-in.ts';
import { readPageBlocks } from './page-blocks.ts';

it('knows of every block of commands where it is tried, or why it is not', async () => {
  const blocks = (await readPageBlocks()).filter(({ language }) => language === 'sh');

  const known = blocks.map((block) => ({
    block: `${block.page}: ${block.text}`,
    entries: FOLLOWED_BLOCKS.filter((entry) => isOf(entry, block)).length,
  }));

  expect(blocks.length).toBeGreaterThan(15);
  expect(known.filter(({ entries }) => entries !== 1)).toEqual([]);
});

it('names no block that no page has', async () => {
  const blocks = await readPageBlocks();

  const gone = FOLLOWED_BLOCKS.filter((entry) => blocks.filter((block) => isOf(entry, block)).length !== 1);

  expect(gone).toEqual([]);
});

it.each(FOLLOWED_BLOCKS.filter(({ stories }) => stories.length === 0))(
  'says why $words of $page is tried nowhere',
  ({ nowhere = '' }) => expect(nowhere).toMatch(/ \w+/),
);
