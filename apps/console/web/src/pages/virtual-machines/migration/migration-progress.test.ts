import type { Migration } from '@smalt/fleet-api';
import type { InstanceUsage, MigrationUsage, VirtualMachineInstanceMigration } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { running } from '../fixtures/machines.ts';
import {
  measuredDowntime,
  migrationProgress,
  newestMigration,
  shownMigration,
  usageOfMigration,
} from './migration-progress.ts';

it.each([
  { phase: undefined, step: 'waiting' },
  { phase: 'Pending', step: 'waiting' },
  { phase: 'Scheduling', step: 'placing' },
  { phase: 'PreparingTarget', step: 'preparing' },
  { phase: 'Running', step: 'moving' },
  { phase: 'Succeeded', step: 'done' },
  { phase: 'Failed', step: 'failed' },
])('is $step in phase $phase', ({ phase, step }) => {
  expect(migrationProgress(running('web'), migration('m', { phase }), undefined).step).toBe(step);
});

it('has the figures of the source while memory is sent', () => {
  const machine = running('web', {
    nodeName: 'host-1',
    migrationState: {
      migrationUid: 'm',
      sourceNode: 'host-1',
      targetNode: 'host-2',
      startTimestamp: '2026-01-01T00:00:00Z',
    },
  });

  const progress = migrationProgress(machine, migration('m', { phase: 'Running' }), usage({ remainingBytes: 250 }));

  expect(progress).toMatchObject({
    from: 'host-1',
    to: 'host-2',
    step: 'moving',
    percent: 75,
    remainingBytes: 250,
    startedAt: '2026-01-01T00:00:00Z',
  });
});

it('believes the instance when it knows of the end first', () => {
  const machine = running('web', { migrationState: { migrationUid: 'm', completed: true } });

  const progress = migrationProgress(machine, migration('m', { phase: 'Running' }), usage({ remainingBytes: 250 }));

  expect(progress).toMatchObject({ step: 'done', percent: 100 });
  expect(progress.remainingBytes).toBeUndefined();
});

it('says why it failed', () => {
  const machine = running('web', { migrationState: { migrationUid: 'm', failed: true, failureReason: 'too slow' } });

  const progress = migrationProgress(machine, migration('m', { phase: 'Running' }), undefined);

  expect(progress).toMatchObject({ step: 'failed', failure: 'too slow' });
});

it('does not take the words about an older migration for its own', () => {
  const machine = running('web', {
    nodeName: 'host-2',
    migrationState: { migrationUid: 'old', completed: true, targetNode: 'host-2' },
  });

  const progress = migrationProgress(machine, migration('new', { phase: 'Scheduling' }), undefined);

  expect(progress).toMatchObject({ step: 'placing', from: 'host-2', to: '' });
});

it('takes only the measurements of its own time, once there is something to send', () => {
  const { migration: _, ...still } = measured(30, 1);
  const history = [measured(0, 5), still, measured(31, 0), measured(32, 7)];

  expect(usageOfMigration(history, '2026-01-01T00:00:30Z').map((one) => one.migration?.totalBytes)).toEqual([7]);
  expect(usageOfMigration(history, undefined)).toEqual([]);
});

it.each([
  ['its own record', record({}), '23ms'],
  ['one that goes on', record({ type: 'unbounded' }), undefined],
  ['one of other hosts', record({ destination: 'host-3' }), undefined],
  ['one of another time', record({ started: '2026-01-01T01:00:00Z' }), undefined],
])('takes how long the guest stood still from %s', (_, migrationRecord, expected) => {
  const progress = { from: 'host-1', to: 'host-2', step: 'done', startedAt: '2026-01-01T00:00:02Z' } as const;

  expect(measuredDowntime([migrationRecord], progress)).toBe(expected);
  expect(measuredDowntime([migrationRecord], { ...progress, step: 'moving' })).toBeUndefined();
});

it('takes the newest migration of the machine', () => {
  const migrations = [
    migration('a', {}, '2026-01-01T00:00:00Z'),
    migration('b', {}, '2026-01-02T00:00:00Z'),
    { ...migration('c', {}, '2026-01-03T00:00:00Z'), spec: { vmiName: 'other' } },
  ];

  expect(newestMigration(migrations, { name: 'web' })?.metadata.name).toBe('b');
  expect(newestMigration([], { name: 'web' })).toBeUndefined();
});

describe('a migration that was cancelled, and is deleted by that', () => {
  const migrationState = {
    migrationUid: 'gone',
    sourceNode: 'host-1',
    targetNode: 'host-2',
    failed: true,
    failureReason: 'the migration was aborted',
    startTimestamp: '2026-01-01T00:09:30Z',
    endTimestamp: '2026-01-01T00:10:00Z',
  };
  const machine = running('web', { migrationState });

  it('is shown as the instance tells of it, not one before it', () => {
    const shown = shownMigration([migration('before', { phase: 'Succeeded' })], machine);

    expect(shown && migrationProgress(machine, shown, undefined)).toMatchObject({
      from: 'host-1',
      to: 'host-2',
      step: 'failed',
      failure: 'the migration was aborted',
    });
    expect(shownMigration([], machine)?.metadata.uid).toBe('gone');
  });

  it('is not shown any more when the next one begins', () => {
    const next = migration('next', { phase: 'Pending' }, '2026-01-01T00:10:01Z');

    expect(shownMigration([migration('before', { phase: 'Succeeded' }), next], machine)?.metadata.name).toBe('next');
  });

  it('is not shown any more when the next one began before its end was written down', () => {
    const next = migration('next', { phase: 'Pending' }, '2026-01-01T00:09:58Z');

    expect(shownMigration([next], machine)?.metadata.name).toBe('next');
  });

  it('is shown until one begins after its end, when it never began to send memory', () => {
    const { startTimestamp: _, ...unsent } = migrationState;
    const before = migration('before', { phase: 'Succeeded' }, '2026-01-01T00:09:58Z');
    const next = migration('next', { phase: 'Pending' }, '2026-01-01T00:10:00Z');
    const cancelled = running('web', { migrationState: unsent });

    expect(shownMigration([before], cancelled)?.metadata.uid).toBe('gone');
    expect(shownMigration([before, next], cancelled)?.metadata.name).toBe('next');
  });

  it('is itself while it is there', () => {
    const itself = migration('gone', { phase: 'Running' });

    expect(shownMigration([itself], machine)).toBe(itself);
    expect(shownMigration([itself], running('web'))).toBe(itself);
  });
});

function migration(
  name: string,
  { phase }: { readonly phase?: string | undefined },
  creationTimestamp = '2026-01-01T00:00:00Z',
): VirtualMachineInstanceMigration {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { namespace: 'shop', name, uid: name, creationTimestamp },
    spec: { vmiName: 'web' },
    status: phase === undefined ? {} : { phase },
  };
}

function usage(fields: Partial<MigrationUsage>): InstanceUsage {
  return {
    at: '2026-01-01T00:00:00Z',
    cpu: { seconds: 1, vcpus: 1 },
    memory: { residentBytes: 1, usedBytes: 1, totalBytes: 1 },
    disks: [],
    interfaces: [],
    migration: {
      mode: 'PreCopy',
      totalBytes: 1000,
      processedBytes: 750,
      remainingBytes: 0,
      bytesPerSecond: 100,
      dirtyBytesPerSecond: 10,
      elapsedMs: 1000,
      iteration: 1,
      throttlePercent: 0,
      ...fields,
    },
  };
}

function measured(second: number, totalBytes: number): InstanceUsage {
  return { ...usage({ totalBytes }), at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString() };
}

function record(status: Partial<NonNullable<Migration['status']>>): Migration {
  const started = '2026-01-01T00:00:00Z';
  const whole = { type: 'completed', origin: 'host-1', destination: 'host-2', started, downtime: '23ms', ...status };
  return { apiVersion: 'kvm.cloud.sap/v1alpha1', kind: 'Migration', metadata: { name: 'm' }, spec: {}, status: whole };
}
