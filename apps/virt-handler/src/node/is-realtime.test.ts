import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { isRealtime } from './is-realtime.ts';

it.each([
  ['-1\n', true],
  ['950000\n', false],
])('a kernel with a budget of %j runs guests in real time: %s', async (text, isReal) => {
  const directory = await mkdtemp(join(tmpdir(), 'kernel-'));
  await writeFile(join(directory, 'budget'), text);

  expect(await isRealtime(join(directory, 'budget'))).toBe(isReal);

  await rm(directory, { recursive: true });
});
