import { describe, expect, it } from 'vitest';

import { decideOpenStack } from './decide-openstack.ts';

const directory = '/var/lib/smalt';

describe('decideOpenStack', () => {
  it.each([
    { isWanted: false, isKnown: undefined, hosts: 0, hasOpenStack: false },
    { isWanted: false, isKnown: undefined, hosts: 3, hasOpenStack: false },
    { isWanted: true, isKnown: undefined, hosts: 2, hasOpenStack: true },
    { isWanted: true, isKnown: true, hosts: 2, hasOpenStack: true },
    { isWanted: false, isKnown: true, hosts: 2, hasOpenStack: true },
    { isWanted: false, isKnown: false, hosts: 2, hasOpenStack: false },
  ])('says $hasOpenStack where wanted is $isWanted and known $isKnown', ({ hasOpenStack, ...facts }) => {
    expect(decideOpenStack({ ...facts, directory })).toEqual({ kind: 'use', hasOpenStack });
  });

  it.each([
    { facts: { isKnown: undefined, hosts: 0 }, says: 'from host to host: give --hosts 2 as well' },
    { facts: { isKnown: undefined, hosts: 1 }, says: 'from host to host: give --hosts 2 as well' },
    { facts: { isKnown: false, hosts: 2 }, says: 'the data directory was made without it' },
    { facts: { isKnown: undefined, hosts: 2, directory: '/run/smalt' }, says: 'its services do not see /run' },
  ])('refuses what cannot work: $says', ({ facts, says }) => {
    const decision = decideOpenStack({ isWanted: true, directory, ...facts });

    expect(decision).toMatchObject({ kind: 'refuse', message: expect.stringMatching(/^--openstack: /) });
    expect(decision).toMatchObject({ message: expect.stringContaining(says) });
  });
});
