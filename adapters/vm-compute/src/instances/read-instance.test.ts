import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { readInstance } from './read-instance.ts';

describe('readInstance', () => {
  it.each([
    [{}, 'building', 'unknown'],
    [{ phase: 'Scheduled' }, 'building', 'unknown'],
    [{ phase: 'Running' }, 'running', 'running'],
    [{ phase: 'Running', conditions: [{ type: 'Paused', status: 'True' }] }, 'paused', 'paused'],
    [{ phase: 'Running', migrationState: { startTimestamp: '2026-03-01T12:00:00Z' } }, 'moving', 'running'],
    [{ phase: 'Succeeded' }, 'stopped', 'off'],
    [{ phase: 'Failed', reason: 'NodeLost' }, 'failed', 'off'],
    [{ phase: 'Unknown' }, 'busy', 'unknown'],
  ])('%o is %s, its guest %s', (status, state, guestState) => {
    expect(readInstance(instance(status), undefined)).toMatchObject({ state, guestState });
  });

  it.each([
    [{}, 'Pending'],
    [{ phase: 'Scheduled' }, 'Scheduled'],
    [{ phase: 'Running' }, 'Running'],
    [{ phase: 'Running', conditions: [{ type: 'Paused', status: 'True' }] }, 'Paused'],
    [{ phase: 'Running', migrationState: { startTimestamp: '2026-03-01T12:00:00Z' } }, 'Migrating'],
  ])('%o is told as %s', (status, stateText) => {
    expect(readInstance(instance(status), undefined).stateText).toBe(stateText);
  });

  it.each([
    [{ phase: 'Running' }, undefined, true],
    [{ phase: 'Failed' }, undefined, false],
    [{ phase: 'Running' }, 'Halted', false],
    [{ phase: 'Running' }, 'Manual', true],
    [{ phase: 'Failed' }, 'Always', true],
    [{ phase: 'Failed' }, 'RerunOnFailure', true],
    [{ phase: 'Failed' }, 'Manual', false],
  ])('%o of a machine that is %s is meant to run: %s', (status, runStrategy, expected) => {
    const machine = runStrategy === undefined ? undefined : machineOf(runStrategy);

    expect(readInstance(instance(status), machine).isMeantToRun).toBe(expected);
  });

  it('tells why it cannot be moved, what it needs of a host, and why it failed', () => {
    const conditions = [{ type: 'LiveMigratable', status: 'False', message: 'its disk is only here' }];
    const read = readInstance(
      {
        ...instance({ phase: 'Failed', reason: 'NodeLost', conditions }),
        spec: {
          domain: { memory: { guest: '1Gi' }, devices: {} },
          nodeSelector: { 'trait.smalt.dev/CUSTOM_FAST': 'true', 'topology.kubernetes.io/zone': 'a' },
        },
      },
      undefined,
    );

    expect(read).toMatchObject({
      obstacles: ['its disk is only here'],
      requiredTraits: ['CUSTOM_FAST'],
      zone: 'a',
      memoryMiB: 1024,
      fault: 'NodeLost',
    });
  });
});

function instance(status: VirtualMachineInstance['status'] & object): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'shop' },
    spec: { domain: { devices: {} } },
    status,
  };
}

function machineOf(runStrategy: string): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'vm', namespace: 'shop' },
    spec: { runStrategy, template: {} },
  };
}
