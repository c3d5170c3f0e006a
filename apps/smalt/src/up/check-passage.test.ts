import { chmod, mkdir, mkdtempDisposable, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { checkPassage } from './check-passage.ts';

describe('checkPassage', () => {
  it.each([0o711, 0o710, 0o755])('takes directories that others may pass, mode %o', async (mode) => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    const directory = join(place.path, 'data');
    await mkdir(directory);
    await Promise.all([place.path, directory].map((path) => chmod(path, mode)));

    await expect(checkPassage(directory)).resolves.toBeUndefined();
  });

  it('names the directory above that nobody else may pass, and what to do', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    const directory = join(place.path, 'a/b');
    await mkdir(directory, { recursive: true, mode: 0o711 });

    const refused = checkPassage(directory);

    await expect(refused).rejects.toMatchObject({
      code: 'start-failed',
      message: `${directory} is below ${place.path}, which lets nobody but its owner pass, and guests are not root: chmod o+x ${place.path}, or give another directory with --data`,
    });
  });

  it('names the directory itself', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));

    await expect(checkPassage(place.path)).rejects.toThrow(`${place.path} lets nobody but its owner pass`);
  });

  it('looks behind symbolic links', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    await using hidden = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    await chmod(place.path, 0o711);
    const directory = join(place.path, 'link');
    await symlink(hidden.path, directory);

    await expect(checkPassage(directory)).rejects.toThrow(`chmod o+x ${hidden.path}`);
  });
});
