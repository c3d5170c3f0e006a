import { describe, expect, it } from 'vitest';

import { parsePackages, type DebianPackage } from './debian-package.ts';
import { resolvePackages, type KnownPackages } from './resolve-packages.ts';

describe('parsePackages', () => {
  it('reads what apt shows, and of two versions the first', () => {
    const text = [
      'Package: qemu-utils',
      'Source: qemu (1:7.2+dfsg-7)',
      'Version: 1:7.2+dfsg-7+b3',
      'Architecture: amd64',
      'Pre-Depends: libc6 (>= 2.34)',
      'Depends: libaio1 (>= 0.3.93), debconf (>= 0.5) | debconf-2.0, python3:any',
      'Provides: qemu-img (= 1)',
      'Homepage: http://www.qemu.org/',
      'Description: tools',
      ' Depends: not this one',
      'Size: 5',
      'SHA256: aa',
      '',
      'Package: qemu-utils',
      'Version: 1',
      'SHA256: bb',
    ].join('\n');

    expect(parsePackages(text)).toEqual([
      {
        name: 'qemu-utils',
        version: '1:7.2+dfsg-7+b3',
        architecture: 'amd64',
        source: 'qemu',
        sourceVersion: '1:7.2+dfsg-7',
        homepage: 'http://www.qemu.org/',
        provides: ['qemu-img'],
        depends: [['libc6'], ['libaio1'], ['debconf', 'debconf-2.0'], ['python3']],
        sha256: 'aa',
        size: 5,
      },
    ]);
  });
});

describe('resolvePackages', () => {
  it('asks for what it does not know yet', () => {
    expect(resolvePackages(['a'], known([one('a', [['b'], ['c', 'd']])]))).toEqual({
      kind: 'unknown',
      names: ['b', 'c', 'd'],
    });
  });

  it('follows needs in circles, and leaves out what is there to install only', () => {
    const packages = known([one('a', [['b'], ['debconf']]), one('b', [['a'], ['adduser']])]);

    expect(names(resolvePackages(['a'], packages))).toEqual(['a', 'b']);
  });

  it('takes what is there to install when it is wanted itself', () => {
    expect(names(resolvePackages(['openssl'], known([one('openssl', [])])))).toEqual(['openssl']);
  });

  it('takes the first choice that there is, or else who provides it', () => {
    const packages = known([one('a', [['gone', 'c'], ['virtual']]), one('c', []), one('real', [], ['virtual'])]);

    const resolution = resolvePackages(['a'], new Map([...packages, ['gone', undefined], ['virtual', undefined]]));

    expect(names(resolution)).toEqual(['a', 'c', 'real']);
  });

  it('says which package is missing', () => {
    expect(() => resolvePackages(['a'], new Map([['a', undefined]]))).toThrow(
      expect.objectContaining({ code: 'missing-package', message: expect.stringContaining('no package a') }),
    );
  });
});

function one(name: string, depends: DebianPackage['depends'], provides: readonly string[] = []): DebianPackage {
  const source = { source: name, sourceVersion: '1', homepage: undefined };
  return { name, version: '1', architecture: 'amd64', ...source, provides, depends, sha256: '', size: 0 };
}

function known(packages: readonly DebianPackage[]): KnownPackages {
  return new Map(packages.map((each) => [each.name, each]));
}

function names(resolution: ReturnType<typeof resolvePackages>): readonly string[] {
  return resolution.kind === 'complete' ? resolution.packages.map(({ name }) => name) : [];
}
