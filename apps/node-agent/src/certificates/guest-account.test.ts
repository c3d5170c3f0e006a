import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { decideGuestAccount, findGuestAccount } from './guest-account.ts';

const DEBIAN = 'root:x:0:0::/root:/bin/sh\nlibvirt-qemu:x:64055:108::/var/lib/libvirt:/usr/sbin/nologin\n';
const FEDORA = 'root:x:0:0::/root:/bin/sh\nqemu:x:107:107::/:/sbin/nologin\n';

describe('the account of guests', () => {
  it.each([
    ['is the one of Debian', { passwd: DEBIAN }, { uid: 64_055, gid: 108 }],
    ['is the one of Fedora', { passwd: FEDORA }, { uid: 107, gid: 107 }],
    ['is unknown where there is none of them', { passwd: 'root:x:0:0::/:/bin/sh' }, undefined],
    ['is unknown where nothing can be read', {}, undefined],
    ['is that of qemu.conf', { passwd: DEBIAN, qemuConfig: '#user = "x"\nuser = "root"\n' }, { uid: 0, gid: 0 }],
    [
      'is the last that qemu.conf names',
      { passwd: FEDORA, qemuConfig: 'user="root"\nuser="qemu"' },
      { uid: 107, gid: 107 },
    ],
    ['is not a comment of qemu.conf', { passwd: FEDORA, qemuConfig: '#user = "root"\n' }, { uid: 107, gid: 107 }],
    ['may be a number in qemu.conf', { passwd: FEDORA, qemuConfig: 'user = "+107"' }, { uid: 107, gid: 107 }],
    ['may be a number that nobody has', { passwd: FEDORA, qemuConfig: 'user = 2000' }, { uid: 2000, gid: 0 }],
    [
      'is what libvirt says, whatever is on the host',
      { told: { uid: 64_055, gid: 64_055 }, passwd: FEDORA, qemuConfig: 'user = "qemu"' },
      { uid: 64_055, gid: 64_055 },
    ],
    [
      'is what is configured, whatever libvirt says',
      { setting: 'qemu', told: { uid: 64_055, gid: 64_055 }, passwd: FEDORA },
      { uid: 107, gid: 107 },
    ],
    [
      'is what is configured, whatever qemu.conf says',
      { setting: 'qemu', passwd: FEDORA, qemuConfig: 'user = "root"' },
      { uid: 107, gid: 107 },
    ],
  ] as const)('%s', (_, view, account) => {
    const found = decideGuestAccount(view);

    expect(found && { uid: found.uid, gid: found.gid }).toEqual(account);
  });

  it.each([
    [{ setting: 'nobody-knows', passwd: DEBIAN }, 'certificates.guestAccount: "nobody-knows" is not in /etc/passwd'],
    [{ passwd: DEBIAN, qemuConfig: 'user = "ldap"' }, 'user in qemu.conf: "ldap" is not in /etc/passwd'],
  ])('is refused by its source when nobody bears the name', (view, says) => {
    expect(() => decideGuestAccount(view)).toThrow(says);
  });

  it('is looked for below the root of the host', async () => {
    await using root = await mkdtempDisposable(join(tmpdir(), 'smalt-root-'));
    await mkdir(join(root.path, 'etc/libvirt'), { recursive: true });
    await writeFile(join(root.path, 'etc/passwd'), FEDORA);
    await writeFile(join(root.path, 'etc/libvirt/qemu.conf'), 'user = "qemu"\n');

    expect(await findGuestAccount({ root: root.path })).toMatchObject({ uid: 107, gid: 107 });
  });
});
