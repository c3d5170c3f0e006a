import { expect, it } from 'vitest';

import { testEviction } from '../fixtures/test-eviction.ts';
import { evictedHosts, isOlder } from './evictions-by-host.ts';

it('knows the older of two, and of those of one second the first by name', () => {
  const young = testEviction('a', { hypervisor: 'n1', metadata: { creationTimestamp: '2026-03-02T00:00:00Z' } });
  const old = testEviction('b', { hypervisor: 'n1', metadata: { creationTimestamp: '2026-03-01T00:00:00Z' } });
  const alsoOld = testEviction('c', { hypervisor: 'n1', metadata: { creationTimestamp: '2026-03-01T00:00:00Z' } });

  expect([isOlder(old, young), isOlder(young, old), isOlder(old, alsoOld), isOlder(alsoOld, old)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it('finds no host in an eviction without a spec', () => {
  const { spec: _, ...blank } = testEviction('a', { hypervisor: 'n1' });

  expect(evictedHosts(blank)).toEqual([]);
  expect(evictedHosts(testEviction('a', { hypervisor: 'n1' }))).toEqual(['n1']);
});
