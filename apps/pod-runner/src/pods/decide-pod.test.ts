import { describe, expect, it } from 'vitest';

import { podObject } from '../fixtures/pods.ts';
import { decidePod, type LocalState, type PodFacts } from './decide-pod.ts';
import type { Exit } from './exit.ts';
import type { RunnerPod } from './pod.ts';

const exit: Exit = { exitCode: 0, reason: 'Completed', message: '' };
const nothing: LocalState = { kind: 'nothing' };
const running: LocalState = { kind: 'running', hasProcess: true };
const recorded: LocalState = { kind: 'running', hasProcess: false };
const ended: LocalState = { kind: 'ended', exit };

describe('decidePod', () => {
  it.each<{ readonly case: string; readonly facts: Partial<PodFacts>; readonly step: string }>([
    { case: 'a new pod', facts: {}, step: 'start' },
    { case: 'a pod that waits for an image', facts: { pod: pod('Pending') }, step: 'start' },
    { case: 'a pod that was just started', facts: { local: running }, step: 'tell-running' },
    { case: 'a pod that was recorded', facts: { local: recorded }, step: 'tell-running' },
    { case: 'a pod whose launcher has ended', facts: { pod: pod('Running'), local: ended }, step: 'tell-ended' },
    { case: 'a pod that ran, and nothing is left', facts: { pod: pod('Running') }, step: 'tell-ended' },
    { case: 'a pod that can never run', facts: { refusal: 'no' }, step: 'tell-ended' },
    { case: 'an ended pod', facts: { pod: pod('Succeeded'), local: ended }, step: 'nothing' },
    { case: 'an ended pod that can never run', facts: { pod: pod('Failed'), refusal: 'no' }, step: 'nothing' },
    { case: 'an ended pod whose launcher runs', facts: { pod: pod('Failed'), local: running }, step: 'kill' },
    { case: 'a deleted pod that never ran', facts: { pod: deleted(30) }, step: 'finish-deletion' },
    { case: 'a deleted pod that runs', facts: { pod: deleted(30), local: running }, step: 'stop' },
    { case: 'a pod deleted by force', facts: { pod: deleted(0), local: running }, step: 'finish-deletion' },
    { case: 'a deleted pod that has ended', facts: { pod: deleted(30), local: ended }, step: 'finish-deletion' },
    { case: 'a deleted record', facts: { pod: deleted(30), local: recorded }, step: 'finish-deletion' },
    { case: 'a pod that has its time', facts: stopping(29_000), step: 'wait' },
    { case: 'a pod whose time is over', facts: stopping(30_000), step: 'finish-deletion' },
  ])('$step: $case', ({ facts, step }) => {
    const known = { pod: podObject(), local: nothing, refusal: undefined, stoppingForMs: undefined };

    expect(decidePod({ ...known, ...facts }).kind).toBe(step);
  });

  it('waits no longer than what is left of the grace period', () => {
    const facts = { refusal: undefined, ...stopping(29_000) };

    expect(decidePod(facts)).toEqual({ kind: 'wait', forMs: 1_000 });
  });

  it('takes the grace period of the pod where the deletion names none, and 30 s where neither does', () => {
    const bare = podObject({ metadata: { name: 'p', uid: 'u', deletionTimestamp: '2026-01-01T00:00:00Z' } });
    const facts = { local: running, refusal: undefined, stoppingForMs: 0 };
    const own = { ...bare, spec: { ...bare.spec, terminationGracePeriodSeconds: 7 } };

    expect(decidePod({ ...facts, pod: bare })).toEqual({ kind: 'wait', forMs: 30_000 });
    expect(decidePod({ ...facts, pod: own })).toEqual({ kind: 'wait', forMs: 7_000 });
  });
});

function pod(phase: string): RunnerPod {
  return podObject({ status: { phase } });
}

function deleted(deletionGracePeriodSeconds: number): RunnerPod {
  const metadata = { name: 'p', uid: 'u', deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds };
  return podObject({ metadata });
}

function stopping(stoppingForMs: number) {
  return { pod: deleted(30), local: running, stoppingForMs };
}
