import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { readIfThere } from './read-if-there.ts';

/** Above what the kernel gives. */
const NO_PROCESS = 4_194_304;

it('reads what is there, and nothing where nothing is', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-read-'));
  const path = join(directory.path, 'file');
  await writeFile(path, 'text');

  expect(await readIfThere(path)).toBe('text');
  expect(await readIfThere(join(directory.path, 'other'))).toBe('');
  expect(await readIfThere(`/proc/${NO_PROCESS}/stat`)).toBe('');
});

it('rejects where it cannot be told whether something is there', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-read-'));

  await expect(readIfThere(directory.path)).rejects.toMatchObject({ code: 'EISDIR' });
});
