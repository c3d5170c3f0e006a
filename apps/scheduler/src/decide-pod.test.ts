import { describe, expect, it } from 'vitest';

import { claimRefusal, isToPlace, refusalCondition } from './decide-pod.ts';
import type { ScheduledPod } from './scheduled-pod.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('isToPlace', () => {
  it.each([
    { what: 'names no scheduler', spec: {}, isOurs: true },
    { what: 'names this one', spec: { schedulerName: 'default-scheduler' }, isOurs: true },
    { what: 'names another one', spec: { schedulerName: 'other' }, isOurs: false },
    { what: 'has a node', spec: { nodeName: 'n1' }, isOurs: false },
    { what: 'has an empty node', spec: { nodeName: '' }, isOurs: true },
    { what: 'waits for a gate', spec: { schedulingGates: [{ name: 'wait' }] }, isOurs: false },
  ])('is $isOurs for a pod that $what', ({ spec, isOurs }) => {
    expect(isToPlace(pod({ spec: { containers: [], ...spec } }))).toBe(isOurs);
  });

  it('leaves pods alone that end or have ended', () => {
    const leaving = pod({ metadata: { name: 'p', namespace: 'd', deletionTimestamp: '2026-01-01T00:00:00Z' } });

    expect([isToPlace(leaving), isToPlace(pod({ status: { phase: 'Failed' } }))]).toEqual([false, false]);
  });

  it('takes the pods of the name that it was given', () => {
    const named = pod({ spec: { containers: [], schedulerName: 'mine' } });

    expect([isToPlace(named, 'mine'), isToPlace(pod({}), 'mine')]).toEqual([true, false]);
  });
});

it('says that nobody allocates devices for claims', () => {
  const claiming = pod({ spec: { containers: [], resourceClaims: [{ name: 'gpu' }] } });

  expect(claimRefusal(claiming)).toMatchObject({
    reason: 'Unschedulable',
    message: expect.stringContaining('nothing here allocates devices for the claims gpu'),
  });
  expect(claimRefusal(pod({}))).toBeUndefined();
});

describe('refusalCondition', () => {
  const refusal = { reason: 'Unschedulable', message: '0/1 nodes are available' } as const;
  const said = { type: 'PodScheduled', status: 'False', ...refusal, lastTransitionTime: '2025-12-31T00:00:00Z' };

  it('says why there is no node', () => {
    expect(refusalCondition(pod({}), refusal, NOW)).toEqual({ ...said, lastTransitionTime: '2026-01-01T00:00:00Z' });
  });

  it('says nothing that the pod says already', () => {
    expect(refusalCondition(pod({ status: { conditions: [said] } }), refusal, NOW)).toBeUndefined();
  });

  it('keeps the time of the first refusal when the words change', () => {
    const other = { ...refusal, message: '0/2 nodes are available' };

    expect(refusalCondition(pod({ status: { conditions: [said] } }), other, NOW)).toEqual({ ...said, ...other });
  });
});

function pod(part: Partial<ScheduledPod>): ScheduledPod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'd' },
    spec: { containers: [] },
    ...part,
  };
}
