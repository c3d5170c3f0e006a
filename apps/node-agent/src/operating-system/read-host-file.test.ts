import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readHostFile } from './read-host-file.ts';

const NEVER = new AbortController().signal;

describe('readHostFile', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'host-file-'));
    await put('usr/lib/os-release', 'of the host');
  });
  afterEach(() => rm(root, { recursive: true }));

  it('reads a file below the root', async () => {
    expect(await readHostFile(root, '/usr/lib/os-release', NEVER)).toBe('of the host');
  });

  it.each([
    { name: 'a relative link', path: 'etc/os-release', target: '../usr/lib/os-release' },
    { name: 'an absolute link', path: 'etc/os-release', target: '/usr/lib/os-release' },
    { name: 'a link that climbs above the root', path: 'etc/os-release', target: '../../../../usr/lib/os-release' },
    { name: 'a link with dots in it', path: 'etc/os-release', target: './..//usr/./lib/os-release' },
  ])('stays in the host behind $name', async ({ path, target }) => {
    await link(path, target);

    expect(await readHostFile(root, `/${path}`, NEVER)).toBe('of the host');
  });

  it('follows links of directories and links to links', async () => {
    await link('etc/static', '/usr');
    await link('etc/one', '/etc/two');
    await link('etc/two', 'static/lib/os-release');

    expect(await readHostFile(root, '/etc/one', NEVER)).toBe('of the host');
  });

  it.each(['/etc/nothing', '/usr/lib/os-release/below-a-file', '/nowhere/at/all'])(
    'knows that %s is not there',
    async (path) => {
      expect(await readHostFile(root, path, NEVER)).toBeUndefined();
    },
  );

  it('takes a link to nothing for a file that is not there', async () => {
    await link('etc/os-release', '/gone');

    expect(await readHostFile(root, '/etc/os-release', NEVER)).toBeUndefined();
  });

  it('gives up on links that go in a circle', async () => {
    await link('etc/a', 'b');
    await link('etc/b', 'a');

    await expect(readHostFile(root, '/etc/a', NEVER)).rejects.toThrow('/etc/a is behind more than 40 links');
  });

  it('rejects for what is there but is no file', async () => {
    await expect(readHostFile(root, '/usr/lib', NEVER)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  async function put(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }

  async function link(path: string, target: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await symlink(target, join(root, path));
  }
});
