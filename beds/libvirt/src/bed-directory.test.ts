import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtempDisposable, stat, symlink } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { openBedDirectory } from './bed-directory.ts';

const NOBODY = 65_534;

it('is for its owner alone, bears its pid, and goes when it is disposed of', async () => {
  const directory = await openBedDirectory();
  const { mode } = await stat(directory.path);

  await directory[Symbol.asyncDispose]();

  expect(mode & 0o777).toBe(0o700);
  expect(directory.path).toMatch(new RegExp(`^/var/cache/smalt/bed/${process.pid}-\\w+$`));
  expect(existsSync(directory.path)).toBe(false);
});

it('takes along what killed owners left, and nothing else', async () => {
  await using parent = await mkdtempDisposable('/tmp/beds-');
  const ended = spawn('true');
  await once(ended, 'exit');
  const [left, living] = [`${parent.path}/${ended.pid}-left`, `${parent.path}/${process.ppid}-living`];
  await Promise.all([left, living].map((path) => mkdir(path)));

  await using directory = await openBedDirectory(parent.path);

  expect([left, living, directory.path].map((path) => existsSync(path))).toEqual([false, true, true]);
});

it.each([
  { name: 'is open to others', damage: (path: string) => chmod(path, 0o755) },
  { name: 'belongs to another', damage: (path: string) => chown(path, NOBODY, NOBODY) },
])('refuses a parent that $name', async ({ damage }) => {
  await using parent = await mkdtempDisposable('/tmp/beds-');
  await damage(parent.path);

  await expect(openBedDirectory(parent.path)).rejects.toMatchObject({
    code: 'unsafe-directory',
    message: expect.stringContaining(parent.path),
  });
});

it('refuses a parent that is a link to elsewhere', async () => {
  await using directory = await mkdtempDisposable('/tmp/beds-');
  const link = `${directory.path}/link`;
  await symlink(directory.path, link);

  await expect(openBedDirectory(link)).rejects.toMatchObject({ code: 'unsafe-directory' });
});
