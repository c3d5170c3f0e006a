import { findHypervisor } from '@smalt/hypervisors';
import { describe, expect, it } from 'vitest';

import { planDaemons } from './plan-daemons.ts';

const qemu = findHypervisor('qemu').libvirt;

describe('planDaemons', () => {
  it('starts the log daemon and then the daemon of the hypervisor, with their settings', () => {
    const { files, daemons } = planDaemons(qemu, () => true);

    expect(daemons.map(({ program }) => program)).toEqual(['virtlogd', 'virtqemud']);
    expect(files.map(({ path }) => path)).toEqual([
      '/etc/libvirt/virtqemud.conf',
      '/etc/libvirt/virtlogd.conf',
      '/etc/libvirt/qemu.conf',
    ]);
    expect(files[0]?.text).toContain('auth_unix_rw = "none"\n');
    expect(files[2]?.text).toContain('stdio_handler = "logd"\n');
  });

  it('gives the daemon for all hypervisors the settings of the missing one', () => {
    const { files, daemons } = planDaemons(qemu, (program) => program !== 'virtqemud');

    expect(daemons.map(({ program }) => program)).toEqual(['virtlogd', 'libvirtd']);
    expect(files.map(({ path }) => path)).toContain('/etc/libvirt/libvirtd.conf');
  });

  it('does without a log daemon', () => {
    const { files, daemons } = planDaemons(qemu, (program) => program === 'libvirtd');

    expect(daemons.map(({ program }) => program)).toEqual(['libvirtd']);
    expect(files.find(({ path }) => path.endsWith('/qemu.conf'))?.text).toContain('stdio_handler = "file"\n');
  });

  it('says what to install', () => {
    expect(() => planDaemons(qemu, () => false)).toThrow('the program virtqemud or libvirtd is missing');
  });
});
