import type { RememberedInstance } from '@smalt/eviction-plan';
import type { Eviction } from '@smalt/fleet-api';
import { describe, expect, it } from 'vitest';

import { forgetFailures, isRetryAsked } from './decide-retry.ts';

describe('isRetryAsked', () => {
  it.each([
    ['nothing was said yet', eviction({}), false],
    ['the annotation is there', eviction({ annotations: { 'kvm.cloud.sap/retry': '' } }), true],
    ['another annotation is there', eviction({ annotations: { other: '' } }), false],
    ['the reason is the one it was judged by', eviction({ generation: 2 }, 2), false],
    ['the reason has changed since', eviction({ generation: 3 }, 2), true],
  ])('when %s', (_when, each, isAsked) => {
    expect(isRetryAsked(each)).toBe(isAsked);
  });
});

describe('forgetFailures', () => {
  it('keeps the moves that are under way', () => {
    const memories = (['Waiting', 'Moving', 'Confirming', 'Aborting', 'Failed', 'NonMigratable'] as const).map(
      (state): RememberedInstance => ({ id: state, state, attempts: 3 }),
    );

    expect(forgetFailures(memories).map(({ id }) => id)).toEqual(['Moving', 'Confirming', 'Aborting']);
  });
});

function eviction(metadata: Partial<Eviction['metadata']>, observedGeneration?: number): Eviction {
  const condition = {
    type: 'Evicting',
    status: 'False',
    reason: 'Failed',
    message: '',
    lastTransitionTime: '',
  } as const;
  const conditions = observedGeneration === undefined ? [] : [{ ...condition, observedGeneration }];
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Eviction',
    metadata: { name: 'n1', ...metadata },
    status: { conditions },
  };
}
