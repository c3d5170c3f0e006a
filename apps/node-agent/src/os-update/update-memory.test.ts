import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { readMemory, writeMemory, type UpdateMemory } from './update-memory.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'smalt-update-memory-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

it('remembers over a restart, for its owner alone', async () => {
  const memory: UpdateMemory = {
    version: '1.2',
    triesLeft: 1,
    failure: { message: 'it broke', atMs: 5 },
    installed: '1.1',
    installedInBoot: 'boot-1',
  };
  await writeMemory(directory, { version: '1.1', triesLeft: 3 });

  await writeMemory(directory, memory);

  expect(await readMemory(directory)).toEqual(memory);
  expect(await readdir(directory)).toEqual(['os-update.json']);
  expect((await stat(join(directory, 'os-update.json'))).mode & 0o777).toBe(0o600);
});

it.each(['', '{', 'null', '[]', '{"version":1,"triesLeft":3}', '{"version":"1","triesLeft":3,"failure":{}}'])(
  'takes %j for nothing',
  async (text) => {
    await writeFile(join(directory, 'os-update.json'), text);

    expect(await readMemory(directory)).toBeUndefined();
  },
);

it('says that it could not write, and leaves nothing half done', async () => {
  await expect(writeMemory(join(directory, 'missing'), { version: '', triesLeft: 3 })).rejects.toThrow('ENOENT');
});
