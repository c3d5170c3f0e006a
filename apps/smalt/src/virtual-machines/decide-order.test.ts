import type { VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceMigration } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { decideMigration } from './decide-migration.ts';
import { decideOrder, type BeforeOrder, type MachineOrder, type MachineState } from './decide-order.ts';
import { migrationShare, migrationText } from './migration-text.ts';

const PAUSED = { conditions: [{ type: 'Paused', status: 'True' }] };

describe('decideOrder', () => {
  it.each<[MachineOrder, Partial<MachineState>, string, string]>([
    ['start', {}, 'waiting', 'starts'],
    ['start', { machine: machine('Provisioning') }, 'waiting', 'starts: Provisioning'],
    ['start', { instance: instance('Running') }, 'done', 'runs on n1'],
    ['start', { machine: machine('CrashLoopBackOff') }, 'waiting', 'starts: CrashLoopBackOff'],
    ['start', { machine: crashed('new') }, 'failed', 'does not come up: CrashLoopBackOff'],
    [
      'start',
      { machine: crashed('new'), before: before('old', 'old') },
      'failed',
      'does not come up: CrashLoopBackOff',
    ],
    ['start', { machine: crashed('old'), before: before('old') }, 'waiting', 'starts: CrashLoopBackOff'],
    ['start', { machine: crashed('old'), before: before(undefined, 'old') }, 'waiting', 'starts: CrashLoopBackOff'],
    ['start', { instance: instance('Failed') }, 'failed', 'has failed: Failed'],
    ['start', { instance: instance('Failed'), before: before('older') }, 'failed', 'has failed: Failed'],
    ['start', { instance: instance('Failed'), before: before('u') }, 'waiting', 'starts'],
    ['start', { instance: instance('Succeeded'), before: before('u') }, 'waiting', 'starts'],
    ['start', { instance: instance('Running'), before: before('u') }, 'done', 'runs on n1'],
    ['restart', { instance: instance('Running'), before: before('u') }, 'waiting', 'shuts down: Running'],
    ['restart', { instance: instance('Running'), before: before('older') }, 'done', 'runs on n1'],
    ['restart', { before: before('u') }, 'waiting', 'starts'],
    ['stop', {}, 'done', 'is off'],
    ['stop', { instance: instance('Succeeded') }, 'done', 'is off'],
    ['stop', { instance: instance('Running') }, 'waiting', 'shuts down: Running'],
    ['pause', { instance: instance('Running', PAUSED) }, 'done', 'stands still'],
    ['pause', { instance: instance('Running') }, 'waiting', 'is asked: Running'],
    ['pause', {}, 'failed', 'is off by now'],
    ['unpause', { instance: instance('Running') }, 'done', 'goes on'],
    ['unpause', { instance: instance('Running', PAUSED) }, 'waiting', 'is asked: Running'],
  ])('%s with %o: %s, %s', (order, state, kind, text) => {
    const given = { machine: undefined, instance: undefined, before: before(), ...state };

    expect(decideOrder(order, given)).toEqual({ kind, text });
  });

  it('says in the words of the API what it waits for', () => {
    const condition = { type: 'Synchronized', status: 'False', message: 'there is no image demo' };
    const state = { machine: machine('Starting'), instance: instance('Scheduled', { conditions: [condition] }) };

    expect(decideOrder('start', { ...state, before: before() }).text).toBe('starts: Starting, there is no image demo');
  });
});

describe('decideMigration', () => {
  it.each<[VirtualMachineInstanceMigration['status'], string, string]>([
    [undefined, 'waiting', 'waits for its turn'],
    [{ phase: 'Scheduling' }, 'waiting', 'a host is being looked for'],
    [
      { phase: 'Pending', conditions: [{ type: 'x', status: 'True', message: 'the quota is full' }] },
      'waiting',
      'waits for its turn: the quota is full',
    ],
    [{ phase: 'Running', migrationState: { sourceNode: 'a', targetNode: 'b' } }, 'moving', 'a → b'],
    [{ phase: 'Succeeded', migrationState: { sourceNode: 'a', targetNode: 'b' } }, 'done', 'has moved, a → b'],
    [{ phase: 'Failed', migrationState: { failureReason: 'no way' } }, 'failed', 'no way'],
    [{ phase: 'Failed' }, 'failed', 'nobody says why: see kubectl describe vmim'],
  ])('%o is %s: %s', (status, kind, text) => {
    expect(decideMigration({ ...MIGRATION, ...(status === undefined ? {} : { status }) })).toEqual({ kind, text });
  });
});

it('draws a migration in one line', () => {
  const usage = {
    mode: 'PostCopy' as const,
    totalBytes: 1_000,
    processedBytes: 0,
    remainingBytes: 250,
    bytesPerSecond: 2_048,
    dirtyBytesPerSecond: 0,
    elapsedMs: 1,
    iteration: 3,
    throttlePercent: 20,
  };

  expect(migrationText(usage, 8)).toBe(
    '██████░░  75 %  250 B left, 2 KiB/s, guest writes 0 B/s, slowed down by 20 %, runs at the target already',
  );
  expect(migrationShare({ ...usage, totalBytes: 0 })).toBe(0);
});

const MIGRATION: VirtualMachineInstanceMigration = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstanceMigration',
  metadata: { name: 'm', namespace: 'default' },
  spec: { vmiName: 'a' },
};

function before(instanceId?: string, failed?: string): BeforeOrder {
  return { instance: instanceId, failed };
}

function crashed(lastFailedVMIUID: string): VirtualMachine {
  const startFailure = { consecutiveFailCount: 1, lastFailedVMIUID };
  return { ...machine(''), status: { printableStatus: 'CrashLoopBackOff', startFailure } };
}

function machine(printableStatus: string): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'a', namespace: 'default' },
    spec: { template: { spec: { domain: { devices: {} } } } },
    status: { printableStatus },
  };
}

function instance(phase: string, status: VirtualMachineInstance['status'] = {}): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'a', namespace: 'default', uid: 'u' },
    spec: { domain: { devices: {} } },
    status: { phase, nodeName: 'n1', ...status },
  };
}
