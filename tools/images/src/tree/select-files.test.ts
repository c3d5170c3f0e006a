import { readFileSync, realpathSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { directory, file, link, type TreeEntry } from './file-tree.ts';
import { selectFiles, type FilePool } from './select-files.ts';

const LIBRARIES = 'usr/lib/x86_64-linux-gnu';
const LOADER = 'usr/lib64/ld-linux-x86-64.so.2';

describe('selectFiles', () => {
  it('takes a program with its loader and libraries, and what links lead to', () => {
    const pool = poolOf({
      tool: { 'usr/bin/flock': real('/usr/bin/flock'), 'usr/bin/other': real('/usr/bin/flock') },
      libc6: {
        [LOADER]: link('/lib/x86_64-linux-gnu/ld.so'),
        [`${LIBRARIES}/ld.so`]: file(''),
        [`${LIBRARIES}/libc.so.6`]: file(''),
        [`${LIBRARIES}/libm.so.6`]: file(''),
      },
    });

    const selected = selectFiles(pool, { tool: ['usr/bin/flock'] }, new Set());

    expect([...selected.keys()].toSorted()).toEqual([
      'usr/bin/flock',
      `${LIBRARIES}/ld.so`,
      `${LIBRARIES}/libc.so.6`,
      LOADER,
    ]);
  });

  it('does not take again what lower layers have', () => {
    const pool = poolOf({ tool: { 'usr/bin/flock': real('/usr/bin/flock') } });

    const selected = selectFiles(pool, { tool: ['usr/bin/flock'] }, new Set([LOADER, `${LIBRARIES}/libc.so.6`]));

    expect([...selected.keys()]).toEqual(['usr/bin/flock']);
  });

  it('keeps the directories of packages with their modes', () => {
    const pool = poolOf({ one: { etc: directory(), 'etc/keys': directory(0o700), 'etc/keys/a': file('') } });

    const selected = selectFiles(pool, { one: ['etc/**'] }, new Set(['etc']));

    expect(selected.get('etc/keys')?.entry).toMatchObject({ mode: 0o700 });
    expect([...selected.keys()].toSorted()).toEqual(['etc/keys', 'etc/keys/a']);
  });

  it('takes a star for a part of a name, and files of the named package alone', () => {
    const pool = poolOf({ one: { 'a/x.bin': file(''), 'a/b/y.bin': file('') }, two: { 'a/z.bin': file('') } });

    expect([...selectFiles(pool, { one: ['a/*.bin'] }, new Set()).keys()]).toEqual(['a/x.bin']);
  });

  it.each([
    { why: 'a file that no package has', wanted: ['usr/bin/none'], code: 'missing-file' },
    { why: 'a link that leads nowhere', wanted: ['usr/bin/astray'], code: 'missing-file' },
    { why: 'a library that no package has', wanted: ['usr/bin/flock'], code: 'missing-library' },
  ])('refuses $why', ({ wanted, code }) => {
    const pool = poolOf({
      tool: { 'usr/bin/flock': real('/usr/bin/flock'), 'usr/bin/astray': link('nowhere') },
    });

    expect(() => selectFiles(pool, { tool: wanted }, new Set())).toThrow(expect.objectContaining({ code }));
  });
});

function real(path: string): TreeEntry {
  return file(readFileSync(realpathSync(path)), 0o755);
}

function poolOf(packages: Readonly<Record<string, Readonly<Record<string, TreeEntry>>>>): FilePool {
  return new Map(
    Object.entries(packages).flatMap(([name, files]) =>
      Object.entries(files).map(([path, entry]) => [path, { package: name, entry }] as const),
    ),
  );
}
