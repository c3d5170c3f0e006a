import { chmod, chown, mkdir, mkdtempDisposable, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { claimStateDirectory } from './claim-state-directory.ts';

const NOBODY = 65_534;

it('makes a directory that nobody else may enter', async () => {
  await using bed = await mkdtempDisposable(join(tmpdir(), 'smalt-state-'));
  const path = join(bed.path, 'a', 'state');

  await claimStateDirectory(path);

  expect(await modeOf(path)).toBe(0o700);
});

it.each([0o755, 0o777, 0o710])(
  'closes one that others may enter, with mode %o, and keeps what is in it',
  async (mode) => {
    await using bed = await mkdtempDisposable(join(tmpdir(), 'smalt-state-'));
    const path = await stateDirectory(bed.path, mode);
    await writeFile(join(path, 'migrations.json'), '[]');

    await claimStateDirectory(path);

    expect(await modeOf(path)).toBe(0o700);
    expect((await stat(join(path, 'migrations.json'))).size).toBe(2);
  },
);

it('refuses one of another account, and leaves it as it is', async () => {
  await using bed = await mkdtempDisposable(join(tmpdir(), 'smalt-state-'));
  const path = await stateDirectory(bed.path, 0o755);
  await chown(path, NOBODY, NOBODY);

  await expect(claimStateDirectory(path)).rejects.toMatchObject({
    code: 'unsafe-path',
    message: expect.stringContaining(`${path} is not the agent's alone: it belongs to user ${NOBODY}; choose another`),
  });

  expect(await modeOf(path)).toBe(0o755);
});

it('refuses one in which somebody has planted a file', async () => {
  await using bed = await mkdtempDisposable(join(tmpdir(), 'smalt-state-'));
  const path = await stateDirectory(bed.path, 0o777);
  await writeFile(join(path, 'os-update.json'), '{}');
  await chown(join(path, 'os-update.json'), NOBODY, NOBODY);

  await expect(claimStateDirectory(path)).rejects.toThrow(`os-update.json in it belongs to user ${NOBODY}`);
});

it('does not close a directory that is there for all', async () => {
  await using bed = await mkdtempDisposable(join(tmpdir(), 'smalt-state-'));
  const path = await stateDirectory(bed.path, 0o1777);

  await expect(claimStateDirectory(path)).rejects.toThrow('it is shared with others');

  expect(await modeOf(path)).toBe(0o777);
});

async function stateDirectory(parent: string, mode: number): Promise<string> {
  const path = join(parent, 'state');
  await mkdir(path);
  await chmod(path, mode);
  return path;
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}
