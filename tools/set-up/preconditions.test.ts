import { describe, expect, it } from 'vitest';

import { refusal } from './preconditions.mjs';

const debian = {
  osRelease: osRelease('debian', '12', 'Debian GNU/Linux 12 (bookworm)'),
  isRoot: true,
  architecture: 'x64',
  hasKvm: true,
};

describe('refusal', () => {
  it.each([
    { name: 'Debian 12 as root', machine: debian },
    { name: 'Debian 13 as root', machine: { ...debian, osRelease: osRelease('debian', '13', 'Debian GNU/Linux 13') } },
  ])('lets $name through', ({ machine }) => {
    expect(refusal('start', ['libvirt-daemon'], machine)).toBeUndefined();
  });

  it('tells a user without root the exact packages and commands', () => {
    const text = refusal('test', ['libvirt-daemon', 'kmod'], { ...debian, isRoot: false });

    expect(text).toContain('sudo npm test');
    expect(text).toContain('apt-get install --no-install-recommends libvirt-daemon kmod');
    expect(text).toContain('useradd --system');
  });

  it.each([
    {
      name: 'another distribution',
      osRelease: osRelease('fedora', '43', 'Fedora Linux 43'),
      says: 'this is Fedora Linux 43',
    },
    {
      name: 'an old Debian',
      osRelease: osRelease('debian', '11', 'Debian GNU/Linux 11'),
      says: 'this is Debian GNU/Linux 11',
    },
    { name: 'a system without os-release', osRelease: '', says: 'this is an unknown system' },
  ])('names $name and the packages', ({ osRelease: text, says }) => {
    const answer = refusal('start', ['libvirt-daemon'], { ...debian, osRelease: text });

    expect(answer).toContain(says);
    expect(answer).toContain('libvirt-daemon');
  });

  it.each([
    { command: 'start', own: 'apps/smalt/src/main.ts up' },
    { command: 'test', own: 'npx vitest run' },
    { command: 'bench', own: 'benchmarks/src/main.ts' },
  ])('tells how to do on another system what $command does', ({ command, own }) => {
    const answer = refusal(command, ['gcc'], { ...debian, osRelease: '' });

    expect(answer?.split('\n').at(-1)).toContain(own);
  });

  it.each([true, false])('speaks of /dev/kvm only where it is (%s)', (hasKvm) => {
    const answer = refusal('start', ['libvirt-daemon'], { ...debian, isRoot: false, hasKvm });

    expect(answer?.includes('/dev/kvm')).toBe(hasKvm);
  });

  it('refuses a processor it has no run time for', () => {
    expect(refusal('start', ['libvirt-daemon'], { ...debian, architecture: 'arm64' })).toContain('arm64');
  });

  it('asks nothing of a command that needs no packages', () => {
    expect(refusal('check', [], { osRelease: '', isRoot: false, architecture: 'arm64' })).toBeUndefined();
  });
});

function osRelease(id: string, version: string, name: string): string {
  return `PRETTY_NAME="${name}"\nNAME="x"\nVERSION_ID="${version}"\nID=${id}\n`;
}
