import { describe, expect, it } from 'vitest';

import { decideHosts } from './decide-hosts.ts';

describe('decideHosts', () => {
  it.each([
    { wanted: undefined, known: undefined, hosts: 0 },
    { wanted: 3, known: undefined, hosts: 3 },
    { wanted: undefined, known: 0, hosts: 0 },
    { wanted: undefined, known: 3, hosts: 3 },
    { wanted: 3, known: 3, hosts: 3 },
    { wanted: 5, known: 3, hosts: 5 },
  ])('gives $hosts hosts where $wanted are wanted and $known known', ({ hosts, ...facts }) => {
    expect(decideHosts(facts)).toEqual({ kind: 'use', hosts });
  });

  it.each([
    { wanted: 2, known: 0, says: '--hosts 2: the data directory was made for this machine itself: leave --hosts out' },
    { wanted: 2, known: 3, says: '--hosts 2: the data directory has 3 hosts: leave --hosts out' },
  ])('refuses $wanted hosts where there are $known', ({ says, ...facts }) => {
    expect(decideHosts(facts)).toMatchObject({ kind: 'refuse', message: expect.stringContaining(says) });
  });
});
