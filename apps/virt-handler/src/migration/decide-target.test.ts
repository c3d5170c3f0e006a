import type { VirtualMachineInstance, VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { decideTarget, mayBeComing, type TargetFacts, type TargetStep } from './decide-target.ts';

const FAILED = { completed: true, failed: true };
const READY = { targetNodeAddress: '192.0.2.2' };
const BEGUN = { ...READY, startTimestamp: '2026-01-01T00:00:00Z' };
const OFF = { isPrepared: true, isSourceOff: true };

describe('decideTarget', () => {
  it.each<[string, VirtualMachineInstanceMigrationState, Partial<TargetFacts>, TargetStep]>([
    ['prepares the node', {}, {}, { kind: 'prepare' }],
    ['prepares it again after a restart', READY, {}, { kind: 'prepare' }],
    ['has nothing to do once it is prepared', READY, { isPrepared: true }, { kind: 'none' }],
    ['prepares it again when that could not be written', {}, { isPrepared: true }, { kind: 'prepare' }],
    ['waits for libvirt', {}, { guest: 'unreachable' }, { kind: 'wait' }],
    ['prepares nothing for what is aborted', { abortRequested: true }, {}, { kind: 'wait' }],
    ['objects when it cannot be prepared', {}, { failure: 'no room' }, { kind: 'object', reason: 'no room' }],
    ['objects once', { failureReason: 'no room' }, { failure: 'no room' }, { kind: 'wait' }],
    ['does not object to what has begun', { startTimestamp: 'x' }, { failure: 'no room' }, { kind: 'wait' }],
    ['does nothing while it comes', READY, { isPrepared: true, guest: 'held' }, { kind: 'none' }],
    ['welcomes it when it runs', READY, { isPrepared: true, guest: 'running' }, { kind: 'welcome' }],
    ['welcomes one that stands still', READY, { guest: 'paused' }, { kind: 'welcome' }],
    [
      'welcomes it after the source has said that it left',
      { completed: true },
      { guest: 'running' },
      { kind: 'welcome' },
    ],
    ['welcomes it once', { targetNodeDomainDetected: true }, { guest: 'running' }, { kind: 'none' }],
    ['waits for the word of the source on what may have come and ended', BEGUN, { guest: 'off' }, { kind: 'wait' }],
    ['prepares the node where an older definition of it is left', READY, { guest: 'off' }, { kind: 'prepare' }],
    ['leaves what arrived and ended to others', { completed: true }, { guest: 'absent' }, { kind: 'none' }],
    ['clears up after a failure', FAILED, {}, { kind: 'clear', endsGuest: false }],
    ['ends half a guest after a failure', FAILED, { guest: 'broken' }, { kind: 'clear', endsGuest: true }],
    ['removes what is left of it', FAILED, { guest: 'off' }, { kind: 'clear', endsGuest: true }],
    ['removes what libvirt could not let run', FAILED, { guest: 'failed' }, { kind: 'clear', endsGuest: true }],
    ['waits until libvirt has taken it away', FAILED, { guest: 'held' }, { kind: 'wait' }],
    ['never touches one that runs', FAILED, { guest: 'running' }, { kind: 'wait' }],
    ['takes over what runs here when the source is off', BEGUN, { ...OFF, guest: 'running' }, { kind: 'take-over' }],
    [
      'takes over what it has welcomed when the source is off',
      { ...BEGUN, targetNodeDomainDetected: true },
      { ...OFF, guest: 'paused' },
      { kind: 'take-over' },
    ],
    ['waits for the half of a guest', BEGUN, { ...OFF, guest: 'running', isHalf: true }, { kind: 'wait' }],
    ['waits for what is held after post-copy', { mode: 'PostCopy' }, { ...OFF, guest: 'paused' }, { kind: 'wait' }],
    ['gives up what was never let run when the source is off', BEGUN, { ...OFF, guest: 'held' }, { kind: 'give-up' }],
    ['gives up half a guest when the source is off', BEGUN, { ...OFF, guest: 'broken' }, { kind: 'give-up' }],
    ['gives up what did not come when the source is off', BEGUN, { ...OFF, guest: 'absent' }, { kind: 'give-up' }],
    ['waits for its libvirt when the source is off', BEGUN, { ...OFF, guest: 'unreachable' }, { kind: 'wait' }],
    ['clears up though the source is off', FAILED, { ...OFF, guest: 'off' }, { kind: 'clear', endsGuest: true }],
    ['leaves alone what goes elsewhere', { targetNode: 'n9' }, {}, { kind: 'none' }],
  ])('%s', (_, state, more, step) => {
    expect(decideTarget(facts(state, more))).toEqual(step);
  });

  it('clears up nothing of an instance that is on this node', () => {
    const each = facts(FAILED);
    const own = { ...each.instance, status: { ...each.instance.status, nodeName: 'n2' } };

    expect(decideTarget({ ...each, instance: own })).toEqual({ kind: 'none' });
  });
});

describe('mayBeComing', () => {
  it.each([
    [true, {}],
    [false, { completed: true }],
    [false, { targetNode: 'n9' }],
  ])('is %s with %j', (isComing, state) => {
    expect(mayBeComing(facts(state).instance, 'n2')).toBe(isComing);
  });
});

function facts(state: VirtualMachineInstanceMigrationState, change: Partial<TargetFacts> = {}): TargetFacts {
  const instance: VirtualMachineInstance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'default', uid: 'vmi-uid' },
    spec: { domain: { devices: {} } },
    status: { nodeName: 'n1', migrationState: { migrationUid: 'm1', sourceNode: 'n1', targetNode: 'n2', ...state } },
  };
  const none = { isPrepared: false, isHalf: false, isSourceOff: false, failure: undefined };
  return { nodeName: 'n2', instance, guest: 'absent', ...none, ...change };
}
