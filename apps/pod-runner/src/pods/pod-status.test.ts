import { describe, expect, it } from 'vitest';

import { podObject } from '../fixtures/pods.ts';
import { endedStatus, isTold, runningStatus, waitingStatus } from './pod-status.ts';
import type { RunnerPod } from './pod.ts';

const GATE = 'kubevirt.io/virtual-machine-unpaused';
const EARLIER = '2026-01-01T00:00:00Z';
const facts = { now: new Date('2026-01-01T00:01:00Z'), startedAt: new Date(EARLIER), address: '10.0.0.1' };

describe('runningStatus', () => {
  it('opens the gate with the first status, and never again', () => {
    const first = runningStatus(gated(), facts);
    const paused = runningStatus(gated([{ type: GATE, status: 'False' }]), facts);
    const unpaused = runningStatus(gated([{ type: GATE, status: 'True' }]), facts);

    expect(statusOf(first)).toMatchObject({ [GATE]: 'True', Ready: 'True' });
    expect(statusOf(paused)).toMatchObject({ [GATE]: undefined, Ready: 'False', ContainersReady: 'True' });
    expect(statusOf(unpaused)).toMatchObject({ [GATE]: undefined, Ready: 'True' });
  });

  it('does not open the gates of others', () => {
    const pod = podObject();
    const other = { ...pod, spec: { ...pod.spec, readinessGates: [{ conditionType: 'example.dev/Gate' }] } };

    expect(statusOf(runningStatus(other, facts))).toMatchObject({ Ready: 'False', 'example.dev/Gate': undefined });
  });

  it('keeps the time of conditions whose status stays', () => {
    const conditions = [
      { type: 'Initialized', status: 'True', lastTransitionTime: EARLIER },
      { type: 'Ready', status: 'False', lastTransitionTime: EARLIER },
    ];

    const status = runningStatus(podObject({ status: { conditions } }), facts);

    expect(status.conditions).toContainEqual({ type: 'Initialized', status: 'True', lastTransitionTime: EARLIER });
    expect(status.conditions).toContainEqual({
      type: 'Ready',
      status: 'True',
      lastTransitionTime: '2026-01-01T00:01:00Z',
    });
  });
});

describe('endedStatus', () => {
  it('tells a well end from a bad one', () => {
    const well = endedStatus(podObject(), { exitCode: 0, reason: 'Completed', message: '' }, facts);
    const bad = endedStatus(podObject(), { exitCode: 137, reason: 'Error', message: 'killed' }, facts);

    expect(well).toMatchObject({ phase: 'Succeeded', containerStatuses: [{ ready: false }] });
    expect(well.message).toBeUndefined();
    expect(bad).toMatchObject({ phase: 'Failed', reason: 'Error', message: 'killed' });
    expect(bad.containerStatuses?.[0]?.state).toMatchObject({ terminated: { exitCode: 137, message: 'killed' } });
  });
});

describe('isTold', () => {
  const running = runningStatus(podObject(), facts);
  const waiting = waitingStatus(podObject(), { reason: 'ErrImagePull', message: 'no image' }, facts);

  it.each([
    { case: 'the same', current: running, wanted: running, isSame: true },
    { case: 'the same at another time', current: running, wanted: later(running), isSame: true },
    { case: 'nothing yet', current: undefined, wanted: running, isSame: false },
    { case: 'another phase', current: waiting, wanted: running, isSame: false },
    {
      case: 'another reason to wait',
      current: waiting,
      wanted: waitingStatus(podObject(), { reason: 'ErrImagePull', message: 'another' }, facts),
      isSame: false,
    },
    {
      case: 'conditions of others beside',
      current: { ...running, conditions: [...(running.conditions ?? []), { type: 'PodScheduled', status: 'True' }] },
      wanted: running,
      isSame: true,
    },
  ])('$case: $isSame', ({ current, wanted, isSame }) => {
    expect(isTold(current, wanted)).toBe(isSame);
  });
});

function gated(conditions: NonNullable<RunnerPod['status']>['conditions'] = []): RunnerPod {
  const pod = podObject({ status: { conditions } });
  return { ...pod, spec: { ...pod.spec, readinessGates: [{ conditionType: GATE }] } };
}

function statusOf({ conditions }: NonNullable<RunnerPod['status']>): Readonly<Record<string, string | undefined>> {
  return {
    [GATE]: undefined,
    'example.dev/Gate': undefined,
    ...Object.fromEntries(conditions?.map(({ type, status }) => [type, status]) ?? []),
  };
}

function later(status: NonNullable<RunnerPod['status']>): NonNullable<RunnerPod['status']> {
  return {
    ...status,
    conditions:
      status.conditions?.map((condition) => ({ ...condition, lastTransitionTime: '2027-01-01T00:00:00Z' })) ?? [],
  };
}
