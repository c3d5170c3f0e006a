import type { Condition } from '@smalt/kubernetes';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findCondition, isConditionTrue, withCondition, type ConditionStatement } from './condition.ts';

const EARLIER = '2026-01-01T00:00:00Z';
const NOW = new Date('2026-01-02T03:04:05.678Z');

describe('withCondition', () => {
  it('adds a condition with the time and the generation', () => {
    const conditions = withCondition([], ready('True'), { generation: 7, now: NOW });

    expect(conditions).toEqual([
      { ...ready('True'), lastTransitionTime: '2026-01-02T03:04:05Z', observedGeneration: 7 },
    ]);
  });

  it('moves the time of the transition only when the status changes', () => {
    const before = [condition('True')];

    const same = withCondition(before, { ...ready('True'), message: 'other' }, { generation: 2, now: NOW });
    const other = withCondition(before, ready('False'), { generation: 2, now: NOW });

    expect(same[0]).toMatchObject({ lastTransitionTime: EARLIER, message: 'other', observedGeneration: 2 });
    expect(other[0]).toMatchObject({ lastTransitionTime: '2026-01-02T03:04:05Z' });
  });

  it('gives the same list back when nothing changed', () => {
    const before = [condition('True')];

    expect(withCondition(before, ready('True'), { generation: 1, now: NOW })).toBe(before);
  });

  it('leaves other conditions where they are and changes none it was given', () => {
    const type = fc.constantFrom('A', 'B', 'C');
    const status = fc.constantFrom('True', 'False', 'Unknown');
    fc.assert(
      fc.property(fc.uniqueArray(type), type, status, (types, stated, now) => {
        const before = types.map((each) => Object.freeze({ ...condition('True'), type: each }));

        const after = withCondition(before, { ...ready(now), type: stated }, { generation: 1, now: NOW });

        expect(after.map((each) => each.type)).toEqual([...new Set([...types, stated])]);
        expect(after.filter((each) => each.type !== stated)).toEqual(before.filter((each) => each.type !== stated));
        expect(findCondition(after, stated)?.status).toBe(now);
      }),
    );
  });
});

describe('isConditionTrue', () => {
  it.each([
    [undefined, false],
    [[], false],
    [[condition('False')], false],
    [[condition('Unknown')], false],
    [[condition('True')], true],
  ])('answers for %j with %s', (conditions, isTrue) => {
    expect(isConditionTrue(conditions, 'Ready')).toBe(isTrue);
  });
});

function ready(status: Condition['status']): ConditionStatement {
  return { type: 'Ready', status, reason: 'Checked', message: 'node a is ready' };
}

function condition(status: Condition['status']): Condition {
  return { ...ready(status), lastTransitionTime: EARLIER, observedGeneration: 1 };
}
