import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { expect, it } from 'vitest';

import { readSourceFiles } from '../check/source-files.ts';
import { debianPackages, programOfPackage } from './packages.mjs';

it('asks Debian 13 for the drivers that Debian 12 has in one package', () => {
  const twelve = debianPackages('start', '12');
  const thirteen = debianPackages('start', '13');

  expect(thirteen.slice(0, twelve.length)).toEqual(twelve);
  expect(thirteen.slice(twelve.length)).toContain('libvirt-daemon-driver-storage');
});

it.each(['check', 'fuzz', 'images'])('asks for nothing where %s needs nothing', (command) => {
  expect(debianPackages(command, '13')).toEqual([]);
});

it('asks for Open vSwitch where it is tested, and not where Smalt is only started', () => {
  const asked = ['start', 'test', 'bench'].map((command) =>
    debianPackages(command, '12').includes('openvswitch-switch'),
  );

  expect(asked).toEqual([false, true, true]);
});

it.each(['test-kubernetes', 'prove-privilege'])(
  'asks for etcd where %s runs on a real Kubernetes, beside what all tests need',
  (command) => {
    const packages = debianPackages(command, '12');

    expect(packages).toEqual(expect.arrayContaining([...debianPackages('test', '12'), 'etcd-server']));
  },
);

it('asks for the checker of alerts where a real Kubernetes is tested on, and not for every test', () => {
  const asked = ['start', 'test', 'prove', 'test-kubernetes'].map((command) =>
    debianPackages(command, '12').includes('prometheus'),
  );

  expect(asked).toEqual([false, false, false, true]);
});

it('asks for what the page about moving asks a person to have, where tests follow it', async () => {
  const page = await readFile(resolve(import.meta.dirname, '../../docs/install/moving.md'), 'utf8');

  const asked = ['start', 'test', 'prove', 'test-kubernetes'].map((command) =>
    debianPackages(command, '12').includes('jq'),
  );

  expect(page).toContain('| jq ');
  expect(asked).toEqual([false, false, true, true]);
});

it('knows which packages another source of the same program makes needless', () => {
  expect(debianPackages('test', '12')).toContain('kubernetes-client');
  expect(programOfPackage.get('kubernetes-client')).toBe('kubectl');
});

// What every Debian has, and what the demo downloads for itself.
const AT_HAND = new Set(['apt', 'busybox-static', 'coreutils', 'dpkg', 'libc-bin', 'mount']);
const STARTED = /^(runtime|apps[/](pod-runner|virt-handler))[/]/;

it('installs whatever the programs that `npm start` runs would else ask for', () => {
  const files = readSourceFiles(resolve(import.meta.dirname, '../..')).filter(
    ({ path }) => STARTED.test(path) && path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  const asked = new Set(
    files.flatMap(({ text }) =>
      [...text.matchAll(/(?:debianPackage: '|install the Debian package )([a-z0-9.+-]+)/g)].map(
        ([, name = '']) => name,
      ),
    ),
  );

  expect(asked).toContain('grub-pc-bin');
  expect([...asked].filter((name) => !AT_HAND.has(name) && !debianPackages('start', '12').includes(name))).toEqual([]);
});
