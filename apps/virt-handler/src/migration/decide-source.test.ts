import type { VirtualMachineInstance, VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { decideSource, mayBeLeaving, type RunFacts, type SourceStep } from './decide-source.ts';
import type { EndedMigration } from './source-outcome.ts';

const READY = { targetNodeAddress: '192.0.2.2' };
const BEGUN = { ...READY, startTimestamp: '2026-01-01T00:00:00Z' };
const ENDED: EndedMigration = { outcome: { kind: 'moved' }, mode: undefined, endedAt: 1 };

describe('decideSource', () => {
  it.each<[string, VirtualMachineInstanceMigrationState, RunFacts | undefined, SourceStep]>([
    ['waits for the target', {}, undefined, { kind: 'wait' }],
    ['announces it when the target is ready', READY, undefined, { kind: 'announce' }],
    ['begins what was announced', BEGUN, undefined, { kind: 'begin', giveUp: undefined }],
    ['watches what is under way', BEGUN, run(), { kind: 'watch' }],
    ['tells how it ended', BEGUN, run({ ended: ENDED }), { kind: 'end', ended: ENDED }],
    [
      'ends what never began when it is aborted',
      { ...READY, abortRequested: true },
      undefined,
      { kind: 'refuse', reason: 'the migration was aborted' },
    ],
    ['ends what the target objects to', { failureReason: 'no room' }, undefined, { kind: 'refuse', reason: 'no room' }],
    [
      'finds out what became of an aborted one after a restart',
      { ...BEGUN, abortRequested: true },
      undefined,
      { kind: 'begin', giveUp: 'the migration was aborted' },
    ],
    [
      'gives up what is under way',
      { ...BEGUN, abortRequested: true },
      run(),
      { kind: 'give-up', reason: 'the migration was aborted' },
    ],
    [
      'has no way back from post-copy',
      { ...BEGUN, abortRequested: true },
      run({ mode: 'PostCopy' }),
      { kind: 'watch' },
    ],
    ['leaves alone what is over', { ...BEGUN, completed: true }, run(), { kind: 'none' }],
    ['leaves alone what leaves another node', { ...BEGUN, sourceNode: 'n9' }, undefined, { kind: 'none' }],
  ])('%s', (_, state, known, step) => {
    expect(decideSource({ nodeName: 'n1', instance: instance(state), run: known })).toEqual(step);
  });

  it('gives up the migration of an instance that is being deleted', () => {
    const leaving = instance(BEGUN);
    const deleted = { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };

    const step = decideSource({ nodeName: 'n1', instance: deleted, run: run() });

    expect(step).toEqual({ kind: 'give-up', reason: 'the instance is being deleted' });
  });

  it.each([
    [{ ...READY, targetCPUSet: [2, 3] }, 'announce'],
    [READY, 'refuse'],
    [{}, 'wait'],
  ])('lets a guest with processors of its own go only to those that were set aside for it: %j', (state, kind) => {
    const leaving = instance(state);
    const own = { ...leaving, spec: { domain: { devices: {}, cpu: { dedicatedCpuPlacement: true } } } };

    expect(decideSource({ nodeName: 'n1', instance: own, run: undefined }).kind).toBe(kind);
  });

  it('has no business with an instance that is not migrated', () => {
    const { status: _, ...rest } = instance({});

    expect(decideSource({ nodeName: 'n1', instance: rest, run: undefined })).toEqual({ kind: 'none' });
  });
});

describe('mayBeLeaving', () => {
  it.each([
    [false, READY],
    [true, BEGUN],
    [false, { ...BEGUN, completed: true }],
    [false, { ...BEGUN, sourceNode: 'n9' }],
  ])('is %s with %j', (isLeaving, state) => {
    expect(mayBeLeaving(instance(state), 'n1')).toBe(isLeaving);
  });
});

function run(change: Partial<RunFacts> = {}): RunFacts {
  return { ended: undefined, mode: undefined, doubt: undefined, ...change };
}

function instance(state: VirtualMachineInstanceMigrationState): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'default', uid: 'vmi-uid' },
    spec: { domain: { devices: {} } },
    status: { nodeName: 'n1', migrationState: { migrationUid: 'm1', sourceNode: 'n1', targetNode: 'n2', ...state } },
  };
}
