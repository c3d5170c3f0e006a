import { expect, it } from 'vitest';

import { parseFlags } from './parse-flags.ts';

const NEEDED = ['--name=vm', '--namespace=default', '--uid=u', '--hypervisor=qemu'];

it('reads what a launcher pod says', () => {
  const words = [...NEEDED, '--grace-period-seconds=45', '--sandbox=/pods/u', '--guest-cgroup=/g', '--user=107:108'];

  expect(parseFlags(words)).toEqual({
    kind: 'run',
    flags: {
      name: 'vm',
      namespace: 'default',
      uid: 'u',
      hypervisor: 'qemu',
      gracePeriodMs: 45_000,
      sandbox: '/pods/u',
      guestCgroup: '/g',
      user: { userId: 107, groupId: 108 },
      daemon: 'host',
    },
  });
});

it('takes a name that begins with a dash for a name', () => {
  expect(parseFlags([...NEEDED.slice(1), '--name=--user'])).toMatchObject({
    flags: { name: '--user', user: undefined },
  });
});

it('gives help without any other flag', () => {
  expect(parseFlags(['--help'])).toMatchObject({
    kind: 'help',
    text: expect.stringContaining('--grace-period-seconds'),
  });
});

it.each([
  { words: NEEDED.slice(1), says: '--name is missing' },
  { words: [...NEEDED, '--uid='], says: '--uid is missing' },
  { words: [...NEEDED, '--daemon=none'], says: '--daemon: "none" is not host or launcher' },
  { words: [...NEEDED, '--user=root'], says: '--user: "root" is not two numbers' },
  { words: [...NEEDED, '--grace-period-seconds=-1'], says: '"-1" is not a whole number' },
  { words: [...NEEDED, '--sandbox=pods'], says: '--sandbox: "pods" is not an absolute path' },
  { words: [...NEEDED, '--nonsense'], says: "Unknown option '--nonsense'" },
  { words: [...NEEDED, 'word'], says: 'see smalt virt-launcher --help' },
])('refuses $words', ({ words, says }) => {
  expect(() => parseFlags(words)).toThrow(says);
});

it('waits three weeks at most, which is what a timer takes', () => {
  const parsed = parseFlags([...NEEDED, '--grace-period-seconds=99999999999']);

  expect(parsed).toMatchObject({ flags: { gracePeriodMs: 2_147_483_000 } });
});
