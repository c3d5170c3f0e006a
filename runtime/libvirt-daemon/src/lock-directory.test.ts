import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { lockDirectory } from './lock-directory.ts';

it('belongs to one at a time', async () => {
  await using directory = await mkdtempDisposable('/tmp/lock-');
  const first = await lockDirectory(directory.path);

  await expect(lockDirectory(directory.path)).rejects.toMatchObject({ code: 'directory-in-use' });

  await first.close();
  await using second = await lockDirectory(directory.path);

  expect(second.fd).toBeGreaterThan(2);
});

it('stays with whoever inherited it, until that is killed', async () => {
  await using directory = await mkdtempDisposable('/tmp/lock-');
  const lock = await lockDirectory(directory.path);
  const heir = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', lock.fd] });
  await lock.close();

  await expect(lockDirectory(directory.path)).rejects.toMatchObject({ code: 'directory-in-use' });

  heir.kill('SIGKILL');
  await once(heir, 'exit');
  await using again = await lockDirectory(directory.path);

  expect(again.fd).toBeGreaterThan(2);
});

it('needs a directory that is there', async () => {
  await expect(lockDirectory('/nonexistent')).rejects.toThrow('ENOENT');
});
