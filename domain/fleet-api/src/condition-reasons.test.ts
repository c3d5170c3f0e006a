import { describe, expect, it } from 'vitest';

import { eviction } from '../kinds/eviction.ts';
import { hypervisor } from '../kinds/hypervisor.ts';
import { EvictionConditionReason, HypervisorConditionReason } from './condition-reasons.ts';
import { EvictionConditionType, HypervisorConditionType } from './condition-types.ts';

const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

describe.each([
  { kind: hypervisor, types: HypervisorConditionType, reasons: HypervisorConditionReason },
  { kind: eviction, types: EvictionConditionType, reasons: EvictionConditionReason },
])('conditions of $kind.kind', ({ kind, types, reasons }) => {
  const used = Object.values(types).filter((type) => type !== 'HypervisorReEnabled');

  it('all have a meaning in the reference', () => {
    expect(kind.conditions?.map(({ type }) => type).toSorted()).toEqual(used.toSorted());
  });

  it('all have reasons, in words that a condition takes', () => {
    expect(Object.keys(reasons).toSorted()).toEqual(used.toSorted());
    for (const reason of Object.values(reasons).flatMap((group) => Object.values(group)))
      expect(reason).toMatch(REASON);
  });
});
