import { chmod, mkdtempDisposable, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { readSessionKey } from './session-key.ts';

it('is made once, for its owner alone, also when several ask at the same moment', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-key-'));
  const path = join(directory.path, 'deep', 'key');

  const keys = await Promise.all([1, 2, 3, 4].map(() => readSessionKey(path)));

  expect(keys.every((key) => key.length === 32 && key.equals(keys[0] ?? Buffer.alloc(0)))).toBe(true);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(directory.path, 'deep'))).toEqual(['key']);
});

it.each([
  { what: 'others can read', mode: 0o644, text: Buffer.alloc(32, 1).toString('base64'), message: 'chmod 600' },
  { what: 'is too short', mode: 0o600, text: 'AAAA', message: 'holds no key' },
])('that $what is refused with what to do', async ({ mode, text, message }) => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-key-'));
  const path = join(directory.path, 'key');
  await writeFile(path, text);
  await chmod(path, mode);

  await expect(readSessionKey(path)).rejects.toThrow(message);
});
