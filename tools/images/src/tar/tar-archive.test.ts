import { execFileSync } from 'node:child_process';

import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { completeTree, directory, file, link, type TreeEntry } from '../tree/file-tree.ts';
import { readTar } from './read-tar.ts';
import { tarArchive } from './tar-archive.ts';

it('can be read back whatever names and files are in it', () => {
  const name = fc.stringMatching(/^[a-zé][a-z0-9 _.-]{0,40}$/);
  const path = fc.array(name, { minLength: 1, maxLength: 8 }).map((names) => names.join('/'));
  const entry: fc.Arbitrary<TreeEntry> = fc.oneof(
    fc.uint8Array({ maxLength: 1500 }).map((bytes) => file(Buffer.from(bytes), 0o755, 1_700_000_000)),
    path.map((target) => link(target)),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(path, entry), { maxLength: 6 }), (entries) => {
      const tree = new Map(entries.map(([place, one], index) => [`${index}/${place}`, one] as const));

      expect(readTar(archiveOf(tree))).toEqual(completeTree(tree));
    }),
  );
});

it('is read by tar with the owner root, modes, links and names of any length', () => {
  const long = `${'a'.repeat(90)}/${'b'.repeat(120)}`;
  const tree = new Map<string, TreeEntry>([
    ['bin/run', file('#!', 0o755, 86_400)],
    ['tmp', directory(0o1777)],
    ['usr/link', link('../bin/run')],
    [long, file('x')],
  ]);

  const listing = execFileSync('tar', ['--utc', '--numeric-owner', '-tvf', '-'], {
    input: archiveOf(tree),
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
  })
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' '));

  expect(listing).toEqual([
    `drwxr-xr-x 0/0 0 1970-01-01 00:00 ${'a'.repeat(90)}/`,
    `-rw-r--r-- 0/0 1 1970-01-01 00:00 ${long}`,
    'drwxr-xr-x 0/0 0 1970-01-01 00:00 bin/',
    '-rwxr-xr-x 0/0 2 1970-01-02 00:00 bin/run',
    'drwxrwxrwt 0/0 0 1970-01-01 00:00 tmp/',
    'drwxr-xr-x 0/0 0 1970-01-01 00:00 usr/',
    'lrwxrwxrwx 0/0 0 1970-01-01 00:00 usr/link -> ../bin/run',
  ]);
});

it('refuses an archive that was cut off', () => {
  const whole = archiveOf(new Map([['a', file('x'.repeat(2000))]]));

  expect(() => readTar(whole.subarray(0, 1024))).toThrow(expect.objectContaining({ code: 'bad-archive' }));
});

function archiveOf(tree: ReadonlyMap<string, TreeEntry>): Buffer {
  return Buffer.concat([...tarArchive(completeTree(tree))]);
}
