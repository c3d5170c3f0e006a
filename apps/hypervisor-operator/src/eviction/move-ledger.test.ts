import type { Eviction } from '@smalt/fleet-api';
import { describe, expect, it } from 'vitest';

import { MoveLedger } from './move-ledger.ts';

describe('MoveLedger', () => {
  it('counts the moves of the others, in all and by target', () => {
    const ledger = new MoveLedger(cacheOf([]));
    ledger.set('a', 3, ['x', 'x', 'y']);
    ledger.set('b', 2, ['x']);

    const others = ledger.others('a');

    expect([others.count, others.to('x'), others.to('y'), others.to('z')]).toEqual([2, 1, 0, 0]);
  });

  it('takes a new count for the old one, and forgets', () => {
    const ledger = new MoveLedger(cacheOf([]));
    ledger.set('a', 3, ['x', 'y']);
    ledger.set('a', 1, ['y']);
    const before = ledger.others('b');
    ledger.forget('a');
    ledger.forget('a');
    const after = ledger.others('b');

    expect(before.count).toBe(1);
    expect([after.count, after.to('y')]).toEqual([0, 0]);
  });

  it('begins with what the statuses say', () => {
    const ledger = new MoveLedger(cacheOf([eviction('a', 4, 'True'), eviction('b', 1, 'True')]));

    expect(ledger.others('b').count).toBe(4);
  });

  it('does not count what stands in the status of an eviction that is over', () => {
    const ledger = new MoveLedger(cacheOf([eviction('a', 4, 'False')]));

    expect(ledger.others('b').count).toBe(0);
  });
});

function cacheOf(evictions: readonly Eviction[]): ConstructorParameters<typeof MoveLedger>[0] {
  return { cache: { list: () => evictions } } as unknown as ConstructorParameters<typeof MoveLedger>[0];
}

function eviction(name: string, moving: number, status: 'True' | 'False'): Eviction {
  const progress = { total: 9, moved: 0, moving, left: 9, failed: 0 };
  const condition = { type: 'Evicting', status, reason: 'Any', message: '', lastTransitionTime: '' };
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Eviction',
    metadata: { name },
    status: { progress, conditions: [condition] },
  };
}
