import type { Eviction } from '@smalt/fleet-api';
import { describe, expect, it } from 'vitest';

import { followersOf, leaderOf } from './follow-eviction.ts';

const [first, second, third] = [eviction('z', 1), eviction('a', 2), eviction('b', 2)] as const;

describe('leaderOf', () => {
  it('is the oldest, and of those of one age the first by name', () => {
    expect(leaderOf([third, second, first], third)).toBe(first);
    expect(leaderOf([third, second], third)).toBe(second);
    expect(leaderOf([], third)).toBe(third);
  });

  it('is none that is being deleted', () => {
    const deleted = { ...first, metadata: { ...first.metadata, deletionTimestamp: '2026-01-02T00:00:00Z' } };

    expect(leaderOf([deleted, second], second)).toBe(second);
  });
});

describe('followersOf', () => {
  it('are the younger ones when the status changed, so that two never wake each other for ever', () => {
    expect(followersOf(cacheOf([first, second, third]), changed(first))).toEqual(['a', 'b']);
    expect(followersOf(cacheOf([first, second, third]), changed(second))).toEqual(['b']);
    expect(followersOf(cacheOf([first, second, third]), changed(third))).toEqual([]);
  });

  it('are all others when one comes or goes', () => {
    const gone = { key: 'a', old: second, current: undefined };

    expect(followersOf(cacheOf([first, third]), gone)).toEqual(['z', 'b']);
  });
});

function changed(each: Eviction) {
  return { key: each.metadata.name, old: each, current: { ...each, status: {} } };
}

function eviction(name: string, day: number): Eviction {
  const creationTimestamp = `2026-01-0${day}T00:00:00Z`;
  const metadata = { name, creationTimestamp };
  return { apiVersion: 'kvm.cloud.sap/v1', kind: 'Eviction', metadata, spec: { hypervisor: 'n1', reason: 'r' } };
}

function cacheOf(evictions: readonly Eviction[]): Parameters<typeof followersOf>[0] {
  return { of: (hypervisor) => (hypervisor === 'n1' ? evictions : []) };
}
