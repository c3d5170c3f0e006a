import type { Condition } from '@smalt/kubernetes';
import { describe, expect, it } from 'vitest';

import { mergeStatements, type MergeInputs } from './merge-statements.ts';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('mergeStatements', () => {
  it('makes one status of what all parts say, conditions sorted by type', () => {
    const status = mergeStatements(
      inputs({
        statements: [
          { fields: { numInstances: 2 }, conditions: [statement('B', 'True')] },
          { fields: { libVirtVersion: '9.0.0' }, conditions: [statement('A', 'False')] },
        ],
      }),
    );

    expect(status).toEqual({
      numInstances: 2,
      libVirtVersion: '9.0.0',
      conditions: [
        { ...statement('A', 'False'), lastTransitionTime: '2026-03-01T12:00:00Z', observedGeneration: 3 },
        { ...statement('B', 'True'), lastTransitionTime: '2026-03-01T12:00:00Z', observedGeneration: 3 },
      ],
    });
  });

  it.each([
    { what: 'keeps the field of an earlier run that nobody spoke of', stated: [], expected: { numInstances: 7 } },
    { what: 'drops a field that was stated and is left out now', stated: ['numInstances'], expected: {} },
  ] as const)('$what', ({ stated, expected }) => {
    const status = mergeStatements(
      inputs({ current: { numInstances: 7, internalIp: '::1' }, stated: new Set(stated) }),
    );

    expect(status).toEqual({ ...expected, conditions: [] });
  });

  it.each([
    { status: 'True', time: '2020-01-01T00:00:00Z' },
    { status: 'False', time: '2026-03-01T12:00:00Z' },
  ] as const)('has a condition that is $status now change at $time', ({ status, time }) => {
    const merged = mergeStatements(
      inputs({ remembered: [condition('A', 'True')], statements: [{ conditions: [statement('A', status)] }] }),
    );

    expect(merged.conditions).toMatchObject([{ type: 'A', status, lastTransitionTime: time }]);
  });

  it('carries the conditions of parts that have not spoken yet, and none of others', () => {
    const merged = mergeStatements(
      inputs({ remembered: [condition('Ours', 'True'), condition('Ready', 'True')], carried: new Set(['Ours']) }),
    );

    expect(merged.conditions).toEqual([condition('Ours', 'True')]);
  });
});

function inputs(some: Partial<MergeInputs>): MergeInputs {
  return {
    statements: [],
    fields: ['numInstances', 'libVirtVersion'],
    current: undefined,
    generation: 3,
    remembered: [],
    stated: new Set(),
    carried: new Set(),
    now: NOW,
    ...some,
  };
}

function statement(type: string, status: 'True' | 'False') {
  return { type, status, reason: 'Because', message: 'of something' };
}

function condition(type: string, status: 'True' | 'False'): Condition {
  return { ...statement(type, status), lastTransitionTime: '2020-01-01T00:00:00Z', observedGeneration: 1 };
}
