import { expect, it } from 'vitest';

import { debianPackages, programOfPackage } from './packages.mjs';

it('asks Debian 13 for the drivers that Debian 12 has in one package', () => {
  const twelve = debianPackages('start', '12');
  const thirteen = debianPackages('start', '13');

  expect(thirteen.slice(0, twelve.length)).toEqual(twelve);
  expect(thirteen.slice(twelve.length)).toContain('libvirt-daemon-driver-storage');
});

it.each(['check', 'fuzz'])('asks for nothing where %s needs nothing', (command) => {
  expect(debianPackages(command, '13')).toEqual([]);
});

it('asks for Open vSwitch where it is tested, and not where Smalt is only started', () => {
  const asked = ['start', 'test', 'bench'].map((command) =>
    debianPackages(command, '12').includes('openvswitch-switch'),
  );

  expect(asked).toEqual([false, true, true]);
});

it('knows which packages another source of the same program makes needless', () => {
  expect(debianPackages('test', '12')).toContain('kubernetes-client');
  expect(programOfPackage.get('kubernetes-client')).toBe('kubectl');
});
