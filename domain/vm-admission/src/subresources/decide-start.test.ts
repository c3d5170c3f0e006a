import { describe, expect, it } from 'vitest';

import { applyJsonPatch } from '@smalt/object-patch';
import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import { instance, machine, spec } from '../fixtures/small-instance.ts';
import { decideStart } from './decide-start.ts';
import type { SubresourceDecision } from './decision.ts';

const START = { action: 'Start' };
const STOP = { action: 'Stop', uid: 'uid-1' };

describe('decideStart', () => {
  it.each([
    { strategy: 'Halted', phase: undefined, outcome: '/spec/runStrategy = "Always"' },
    { strategy: 'Manual', phase: undefined, outcome: [START] },
    { strategy: 'Manual', phase: 'Failed', outcome: [STOP, START] },
    { strategy: 'Manual', phase: 'Succeeded', outcome: [STOP, START] },
    { strategy: 'Manual', phase: 'Running', outcome: 'VM is already running' },
    { strategy: 'Manual', phase: 'Unknown', outcome: [START] },
    { strategy: 'RerunOnFailure', phase: undefined, outcome: [START] },
    { strategy: 'RerunOnFailure', phase: 'Succeeded', outcome: [STOP, START] },
    {
      strategy: 'RerunOnFailure',
      phase: 'Failed',
      outcome: 'RerunOnFailure does not support starting VM from failed state',
    },
    { strategy: 'Always', phase: undefined, outcome: 'Always does not support manual start requests' },
    { strategy: 'Once', phase: undefined, outcome: 'Once does not support manual start requests' },
    { strategy: 'WaitAsReceiver', phase: undefined, outcome: 'WaitAsReceiver does not support manual start requests' },
  ])('$strategy with an instance that is $phase', ({ strategy, phase, outcome }) => {
    const object = machine({ runStrategy: strategy });

    expect(outcomeOf(decideStart(object, phase === undefined ? undefined : inPhase(phase)), object)).toEqual(outcome);
  });

  it('starts one that uses the old field in that field', () => {
    const object = machine({ running: false });

    expect(outcomeOf(decideStart(object, undefined), object)).toBe('/spec/running = true');
  });

  it('orders a paused start, unless it would be paused anyway', () => {
    const halted = machine({ runStrategy: 'Halted' });
    const pausing = machine({ runStrategy: 'Halted', template: { spec: spec({ startStrategy: 'Paused' }) } });

    expect(outcomeOf(decideStart(halted, undefined, { paused: true }), halted)).toEqual([
      { action: 'Start', data: { paused: 'true' } },
    ]);
    expect(outcomeOf(decideStart(pausing, undefined, { paused: true }), pausing)).toBe('/spec/runStrategy = "Always"');
  });

  it('does not start one whose volumes were left half moved', () => {
    const object = machine(
      { runStrategy: 'Manual' },
      {
        status: { conditions: [{ type: 'ManualRecoveryRequired', status: 'True' }] },
      },
    );

    expect(outcomeOf(decideStart(object, undefined), object)).toContain(
      'VM recovery required: Volume migration failed',
    );
  });

  it('waits for orders that came before, and forgets failures', () => {
    const busy = machine({ runStrategy: 'Manual' }, { status: { stateChangeRequests: [{ action: 'Stop' }] } });
    const failing = machine(
      { runStrategy: 'Manual' },
      {
        status: { created: false, startFailure: { consecutiveFailCount: 3 } },
      },
    );

    expect(outcomeOf(decideStart(busy, undefined), busy)).toBe(
      'unable to complete request: stop/start already underway',
    );
    expect(patched(decideStart(failing, undefined), failing)).toMatchObject({
      status: { created: false, stateChangeRequests: [START] },
    });
    expect(patched(decideStart(failing, undefined), failing)).not.toHaveProperty('status.startFailure');
  });

  it('fails when orders came in between', () => {
    const object = machine({ runStrategy: 'Manual' }, { status: { created: false } });
    const decision = decideStart(object, undefined);
    const meanwhile = machine({ runStrategy: 'Manual' }, { status: { stateChangeRequests: [{ action: 'Stop' }] } });

    expect(() => patched(decision, meanwhile)).toThrow(/rejected our request/);
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
