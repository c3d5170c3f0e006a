import { describe, expect, it } from 'vitest';

import { applyJsonPatch } from '@smalt/object-patch';
import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import { instance, machine, spec } from '../fixtures/small-instance.ts';
import { decideRestart } from './decide-restart.ts';
import { decideStop } from './decide-stop.ts';
import type { SubresourceDecision } from './decision.ts';

const START = { action: 'Start' };
const STOP = { action: 'Stop', uid: 'uid-1' };

describe('decideStop', () => {
  it.each([
    { strategy: 'Always', phase: 'Running', outcome: '/spec/runStrategy = "Halted"' },
    { strategy: 'Always', phase: undefined, outcome: '/spec/runStrategy = "Halted"' },
    { strategy: 'Once', phase: 'Running', outcome: '/spec/runStrategy = "Halted"' },
    { strategy: 'Manual', phase: 'Running', outcome: [STOP] },
    { strategy: 'Manual', phase: 'Failed', outcome: 'VM is not running' },
    { strategy: 'RerunOnFailure', phase: 'Running', outcome: [STOP] },
    { strategy: 'RerunOnFailure', phase: undefined, outcome: 'VM is not running' },
    { strategy: 'Halted', phase: undefined, outcome: 'VM is not running' },
    {
      strategy: 'Halted',
      phase: 'Running',
      outcome: 'Halted only supports manual stop requests with a shorter graceperiod',
    },
  ])('$strategy with an instance that is $phase', ({ strategy, phase, outcome }) => {
    const object = machine({ runStrategy: strategy });

    expect(outcomeOf(decideStop(object, phase === undefined ? undefined : inPhase(phase)), object)).toEqual(outcome);
  });

  it('hurries a guest that is stopping already, and only if that is quicker', () => {
    const object = machine({ runStrategy: 'Halted' });
    const slow = inPhase('Running', { terminationGracePeriodSeconds: 30 });

    const decision = decideStop(object, slow, { gracePeriod: 5 });

    expect(patchedInstance(decision, slow)).toMatchObject({ spec: { terminationGracePeriodSeconds: 5 } });
    expect(patched(decision, object)).toMatchObject({ status: { stateChangeRequests: [STOP] } });
    expect(outcomeOf(decideStop(object, slow, { gracePeriod: 30 }), object)).toContain('shorter graceperiod');
  });

  it('can take a changed grace period back', () => {
    const object = machine({ runStrategy: 'Manual' });
    const plain = inPhase('Running');
    const decision = decideStop(object, plain, { gracePeriod: 0 });
    const hurried = patchedInstance(decision, plain);

    expect(hurried).toMatchObject({ spec: { terminationGracePeriodSeconds: 0 } });
    expect(decision.kind === 'patch' && decision.undo && apply(hurried, decision.undo.operations)).toEqual(plain);
  });

  it('replaces orders that wait', () => {
    const busy = machine({ runStrategy: 'Manual' }, { status: { stateChangeRequests: [{ action: 'Start' }] } });

    expect(outcomeOf(decideStop(busy, inPhase('Running')), busy)).toEqual([STOP]);
  });

  it('refuses a time below zero', () => {
    expect(decideStop(machine(), inPhase('Running'), { gracePeriod: -1 })).toMatchObject({ kind: 'refuse', code: 400 });
  });
});

describe('decideRestart', () => {
  it.each([
    { strategy: 'Always', phase: 'Running', outcome: [STOP, START] },
    { strategy: 'Manual', phase: 'Running', outcome: [STOP, START] },
    { strategy: 'RerunOnFailure', phase: 'Running', outcome: [STOP, START] },
    { strategy: 'Always', phase: undefined, outcome: 'VM is not running: Halted' },
    { strategy: 'Halted', phase: 'Running', outcome: 'RunStategy Halted does not support manual restart requests' },
    { strategy: 'Once', phase: 'Running', outcome: 'RunStategy Once does not support manual restart requests' },
  ])('$strategy with an instance that is $phase', ({ strategy, phase, outcome }) => {
    const object = machine({ runStrategy: strategy });

    expect(outcomeOf(decideRestart(object, phase === undefined ? undefined : inPhase(phase)), object)).toEqual(outcome);
  });

  it('stops the guest at once when it is told to', () => {
    const object = machine({ runStrategy: 'Always' });
    const slow = inPhase('Running', { terminationGracePeriodSeconds: 180 });

    const decision = decideRestart(object, slow, { gracePeriodSeconds: 0 });

    expect(patchedInstance(decision, slow)).toMatchObject({ spec: { terminationGracePeriodSeconds: 1 } });
    expect(patched(decision, object)).toMatchObject({ status: { stateChangeRequests: [STOP, START] } });
  });

  it.each([
    [5, 'For force restart, only gracePeriod=0 is supported for now'],
    [-5, 'gracePeriod has to be greater or equal to 0'],
  ])('refuses a grace period of %d', (gracePeriodSeconds, message) => {
    expect(decideRestart(machine(), inPhase('Running'), { gracePeriodSeconds })).toEqual({
      kind: 'refuse',
      code: 400,
      message,
    });
  });

  it('refuses while volumes move', () => {
    const object = machine(undefined, { status: { conditions: [{ type: 'VolumesChange', status: 'True' }] } });

    expect(outcomeOf(decideRestart(object, inPhase('Running')), object)).toContain('VM recovery required');
  });
});

/** What came out, for short: the words of a refusal, the orders that were given, or the field that was set. */
function outcomeOf(decision: SubresourceDecision, object: VirtualMachine): unknown {
  if (decision.kind === 'refuse') return decision.message;
  const { spec: after, status } = patched(decision, object);
  if (status?.stateChangeRequests !== undefined) return status.stateChangeRequests;
  const field = after.runStrategy === undefined ? 'running' : 'runStrategy';
  return `/spec/${field} = ${JSON.stringify(after[field])}`;
}

function patched(decision: SubresourceDecision, object: VirtualMachine): VirtualMachine {
  return patch(decision, object, ['machine', 'machine-status']);
}

function patchedInstance(decision: SubresourceDecision, object: VirtualMachineInstance): VirtualMachineInstance {
  return patch(decision, object, ['instance']);
}

function patch<Item>(decision: SubresourceDecision, object: Item, targets: readonly string[]): Item {
  if (decision.kind !== 'patch') throw new Error(`no patch: ${JSON.stringify(decision)}`);
  return decision.patches
    .filter(({ target }) => targets.includes(target))
    .reduce((before, { operations }) => apply(before, operations), object);
}

function apply<Item>(object: Item, operations: readonly unknown[]): Item {
  return applyJsonPatch(JSON.parse(JSON.stringify(object)), JSON.parse(JSON.stringify(operations))) as Item;
}

function inPhase(phase: string, parts: Partial<VirtualMachineInstance['spec']> = {}): VirtualMachineInstance {
  return instance(spec(parts), { status: { phase } });
}
