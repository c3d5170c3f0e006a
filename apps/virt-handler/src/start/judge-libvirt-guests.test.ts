import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { checkLibvirtGuests } from './check-libvirt-guests.ts';
import { judgeLibvirtGuests } from './judge-libvirt-guests.ts';

const WANTS = 'etc/systemd/system/multi-user.target.wants/libvirt-guests.service';
const OWN = { qemu: { uri: 'qemu:///system' } };

describe('judgeLibvirtGuests', () => {
  it.each<[string, readonly string[]]>([
    ['nobody says otherwise', []],
    ['its program says so', ['set -e\nON_BOOT="start"\n']],
    ['its settings say so', ['ON_BOOT=ignore', "  ON_BOOT='start' # as ever"]],
    ['the last word says so', ['ON_BOOT=ignore\nON_BOOT=start\n']],
    ['the settings are a comment', ['ON_BOOT=start', '#ON_BOOT=ignore']],
  ])('refuses a machine where %s', (_, texts) => {
    expect(judgeLibvirtGuests({ isEnabled: true, texts })).toMatch(/set ON_BOOT=ignore in .* systemctl disable/);
  });

  it.each<[string, boolean, readonly string[]]>([
    ['it is not started', false, ['ON_BOOT=start']],
    ['its program ignores guests', true, ['ON_BOOT="ignore"', '#ON_BOOT=start']],
    ['its settings do', true, ['ON_BOOT=start', 'export ON_BOOT=ignore']],
  ])('takes one where %s', (_, isEnabled, texts) => {
    expect(judgeLibvirtGuests({ isEnabled, texts })).toBeUndefined();
  });
});

describe('checkLibvirtGuests', () => {
  it('looks at the files of the machine', async () => {
    await using machine = await mkdtempDisposable(join(tmpdir(), 'smalt-machine-'));
    await checkLibvirtGuests(OWN, machine.path);
    await put(join(machine.path, 'usr/lib/libvirt/libvirt-guests.sh'), 'ON_BOOT="start"\n');
    await checkLibvirtGuests(OWN, machine.path);
    await mkdir(dirname(join(machine.path, WANTS)), { recursive: true });
    // It leads to a file that is there only as seen from the machine.
    await symlink('/lib/systemd/system/libvirt-guests.service', join(machine.path, WANTS));

    await expect(checkLibvirtGuests(OWN, machine.path)).rejects.toMatchObject({ code: 'unsafe-node' });
    await put(join(machine.path, 'etc/default/libvirt-guests'), 'ON_BOOT=ignore\n');
    await checkLibvirtGuests(OWN, machine.path);
  });

  it.each([
    ['qemu+unix:///system?socket=%2Fdata%2Flibvirt-sock', 'is one of our own'],
    ['test:///default', 'is a mock'],
    ['qemu+tls://other/system', 'is elsewhere'],
  ])('has nothing against it where the libvirt %s %s', async (uri) => {
    await using machine = await mkdtempDisposable(join(tmpdir(), 'smalt-machine-'));
    await put(join(machine.path, WANTS), '');

    await checkLibvirtGuests({ qemu: { uri } }, machine.path);
    await expect(checkLibvirtGuests({ ...OWN, other: { uri } }, machine.path)).rejects.toThrow('libvirt-guests');
  });
});

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
