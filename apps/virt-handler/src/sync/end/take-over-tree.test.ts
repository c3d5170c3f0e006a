import { chown, lstat, mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { takeOverTree } from './take-over-tree.ts';

/** An account that is not that of the test. */
const GUEST = 64_055;

it('leaves no directory below it that the account of a guest could change, and follows no link', async () => {
  await using root = await mkdtempDisposable(join(tmpdir(), 'smalt-take-over-'));
  const elsewhere = join(root.path, 'elsewhere');
  const tree = join(root.path, 'sockets');
  await mkdir(join(tree, 'a/b'), { recursive: true, mode: 0o777 });
  await mkdir(elsewhere);
  await symlink(elsewhere, join(tree, 'a/link'));
  await writeFile(join(tree, 'a/file'), '');
  for (const path of [elsewhere, tree, join(tree, 'a'), join(tree, 'a/b')]) await chown(path, GUEST, GUEST);

  await takeOverTree(tree);

  const found = await Promise.all([tree, join(tree, 'a'), join(tree, 'a/b'), elsewhere].map(ownerAndMode));
  expect(found).toEqual(['0 700', '0 700', '0 700', `${GUEST} 755`]);
});

it('has nothing to do where nothing is', async () => {
  await using root = await mkdtempDisposable(join(tmpdir(), 'smalt-take-over-'));

  await expect(takeOverTree(join(root.path, 'sockets'))).resolves.toBeUndefined();
});

async function ownerAndMode(path: string): Promise<string> {
  const { uid, mode } = await lstat(path);
  return `${uid} ${(mode & 0o777).toString(8)}`;
}
