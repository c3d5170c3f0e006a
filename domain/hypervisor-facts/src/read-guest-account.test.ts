import { startHost } from '@smalt/bed-libvirt';
import { connect } from '@smalt/libvirt';
import { describe, expect, it } from 'vitest';

import { isUnreadable } from './error.ts';
import { readGuestAccount } from './read-guest-account.ts';

describe('readGuestAccount', () => {
  it.each([
    ['of KVM', "<model>dac</model><baselabel type='kvm'>+64055:+108</baselabel>", { uid: 64_055, gid: 108 }],
    ['of guests that are root', "<model>dac</model><baselabel type='qemu'>+0:+0</baselabel>", { uid: 0, gid: 0 }],
    ['of no containers', "<model>dac</model><baselabel type='lxc'>+5:+5</baselabel>", undefined],
    ['of no other model', "<model>selinux</model><baselabel type='kvm'>+5:+5</baselabel>", undefined],
    ['in numbers alone', "<model>dac</model><baselabel type='kvm'>qemu:qemu</baselabel>", undefined],
    ['of a host that has one', '<model>dac</model>', undefined],
  ])('reads the account %s', (_, model, account) => {
    const xml = `<capabilities><host><secmodel>${model}</secmodel></host></capabilities>`;

    expect(readGuestAccount(xml)).toEqual(account);
  });

  it('refuses a text that is none', () => {
    expect(() => readGuestAccount('<capabilities')).toThrow(expect.toSatisfy(isUnreadable));
  });

  it('reads what a real libvirt says of its own qemu.conf', async () => {
    await using host = await startHost({ qemu: { user: '+64055', group: '+64056' } });
    await using connection = await connect(host.uri);

    expect(readGuestAccount(await connection.connectGetCapabilities())).toEqual({ uid: 64_055, gid: 64_056 });
  }, 60_000);
});
