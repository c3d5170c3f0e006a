import { mkdtempDisposable, writeFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { fileSizes, readTail } from './read-tail.ts';

it('gives the last lines of a file, of those after an offset', async () => {
  await using directory = await mkdtempDisposable('/tmp/read-tail-');
  const path = `${directory.path}/log`;
  await writeFile(path, 'one\ntwo\nthree\n');

  expect(await readTail(path, { maxLines: 2 })).toBe('two\nthree');
  expect(await readTail(path, { maxLines: 9, from: 4 })).toBe('two\nthree');
  expect(await readTail(path, { maxLines: 9, from: 99 })).toBe('');
  expect(await fileSizes([path, `${path}.missing`])).toEqual([14, 0]);
});

it('gives nothing for a file that is missing', async () => {
  expect(await readTail('/nonexistent/log', { maxLines: 5 })).toBe('');
});

it('reads no more than the end of a huge file', async () => {
  await using directory = await mkdtempDisposable('/tmp/read-tail-');
  const path = `${directory.path}/log`;
  await writeFile(path, `${'x'.repeat(1_000_000)}\nlast\n`);

  const text = await readTail(path, { maxLines: 5 });

  expect(text.length).toBeLessThan(70_000);
  expect(text.endsWith('\nlast')).toBe(true);
});
