import type { VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { at, guest, instance, launcher, migration, NOW } from '../fixtures/objects.ts';
import { decideMigration } from './decide-migration.ts';
import type { MigrationFacts } from './migration-facts.ts';
import { MIGRATION_DEFAULTS } from './migration-settings.ts';

const deleted = { metadata: { deletionTimestamp: at(0) } };
const target = launcher('ready', { name: 'target', nodeName: 'n2', createdAt: at(-30) });
const prepared = { targetNodeAddress: '192.0.2.2' };
const started = { ...prepared, startTimestamp: at(-20) };
const earlier = { ...started, migrationUid: 'earlier' };

const PHASES: readonly (readonly [string, string, string, Partial<MigrationFacts>])[] = [
  ['', 'Pending', 'it is new', {}],
  ['', 'Failed', 'another one is not over', { hasRival: true }],
  ['Pending', 'Pending', 'it waits for its turn', { mayStart: false }],
  ['Pending', 'Scheduling', 'its target pod exists', { targetPod: launcher('starting') }],
  [
    'Pending',
    'Failed',
    'the instance cannot be migrated',
    { vmi: instance('Running', { conditions: [{ type: 'LiveMigratable', status: 'False' }] }) },
  ],
  ['', 'Failed', 'a volume is plugged in that the handler has not seen yet', { vmi: withPlugged() }],
  [
    'Scheduled',
    'Failed',
    'a volume was plugged in before it was handed over',
    { vmi: withPlugged(), targetPod: target },
  ],
  ['Scheduling', 'Scheduling', 'the target pod starts', { targetPod: launcher('starting', { createdAt: at(-30) }) }],
  ['Scheduling', 'Failed', 'the target pod ended', { targetPod: launcher('ended') }],
  ['Scheduling', 'Failed', 'the target pod is gone', {}],
  ['Scheduling', 'Scheduling', 'no node was found for 4 minutes', { targetPod: unplaced(), seen: podSeen(240) }],
  ['Scheduling', 'Failed', 'no node was found for 5 minutes', { targetPod: unplaced(), seen: podSeen(300) }],
  [
    'Scheduling',
    'Scheduling',
    'the target pod starts for 14 minutes',
    { targetPod: launcher('starting'), seen: podSeen(840) },
  ],
  [
    'Scheduling',
    'Failed',
    'the target pod starts for 15 minutes',
    { targetPod: launcher('starting'), seen: podSeen(900) },
  ],
  [
    'Scheduling',
    'Scheduling',
    'the target pod seems to be of another day, by a clock that was set since',
    { targetPod: launcher('starting', { createdAt: at(-86_400) }), seen: podSeen(1) },
  ],
  [
    'Scheduling',
    'Failed',
    'the target pod starts for 15 minutes and seems to be of tomorrow, by a clock that was set back since',
    { targetPod: launcher('starting', { createdAt: at(86_400) }), seen: podSeen(900) },
  ],
  ['Scheduled', 'Scheduled', 'nobody was told yet', { targetPod: target }],
  ['Scheduled', 'Scheduled', 'nobody could be told for an hour', { targetPod: target, seen: phaseSeen(3600) }],
  [
    'Scheduled',
    'Scheduled',
    'an earlier one is not over for 14 minutes',
    { targetPod: target, vmi: handed(earlier), seen: phaseSeen(840) },
  ],
  [
    'Scheduled',
    'Failed',
    'an earlier one is not over for 15 minutes',
    { targetPod: target, vmi: handed(earlier), seen: phaseSeen(900) },
  ],
  ['Scheduled', 'PreparingTarget', 'both handlers were told', { targetPod: target, vmi: handed() }],
  ['PreparingTarget', 'TargetReady', 'the target says where it listens', { targetPod: target, vmi: handed(prepared) }],
  ['TargetReady', 'Running', 'the source has begun', { targetPod: target, vmi: handed(started) }],
  ['Running', 'Running', 'it is on its way', { targetPod: target, vmi: handed(started) }],
  ['Running', 'Succeeded', 'the source is done', { targetPod: target, vmi: handed({ ...started, completed: true }) }],
  [
    'Running',
    'Succeeded',
    'the source is done and the target pod has gone since',
    { vmi: handed({ ...started, completed: true }) },
  ],
  [
    'Running',
    'Failed',
    'the source has failed',
    { targetPod: target, vmi: handed({ ...started, completed: true, failed: true }) },
  ],
  ['Running', 'Running', 'the target pod is gone: the source knows where the guest is', { vmi: handed(started) }],
  ['Running', 'Failed', 'another one has taken over', { targetPod: target, vmi: handed({ migrationUid: 'other' }) }],
  ['Running', 'Failed', 'the state is gone', { targetPod: target }],
  ['Running', 'Failed', 'the instance is gone', { vmi: undefined }],
  [
    'Running',
    'Failed',
    'the guest has shut down',
    { vmi: instance('Succeeded', { migrationState: { migrationUid: 'mig-uid' } }) },
  ],
  ['Succeeded', 'Succeeded', 'it is over', { vmi: undefined }],
  ['Failed', 'Failed', 'it is over', { targetPod: target }],
];

describe('decideMigration', () => {
  it.each(PHASES)('goes from "%s" to %s when %s', (from, to, _when, facts) => {
    const { status } = decide(from, facts);

    const began = from === to ? undefined : [{ phase: to, phaseTransitionTimestamp: at(0) }];
    expect({ phase: status.phase, began: status.phaseTransitionTimestamps }).toEqual({ phase: to, began });
  });

  it.each([
    ['', { targetPod: launcher('starting') }, ['Pending', 'Scheduling']],
    ['Scheduling', { targetPod: target, vmi: handed() }, ['Scheduled', 'PreparingTarget']],
    ['Scheduling', { vmi: handed(started) }, ['Scheduled', 'PreparingTarget', 'TargetReady', 'Running']],
    [
      'Scheduled',
      { vmi: handed({ ...started, completed: true }) },
      ['PreparingTarget', 'TargetReady', 'Running', 'Succeeded'],
    ],
  ])('tells at once of all that happened since "%s"', (from, facts, through) => {
    const { status } = decide(from, facts);

    expect(status.phase).toBe(through.at(-1));
    expect(status.phaseTransitionTimestamps?.map(({ phase }) => phase)).toEqual(through);
  });

  it('writes nothing when it hands over: the answer of the handlers says more', () => {
    const { actions, status } = decide('Scheduling', { targetPod: target });

    expect(actions).toMatchObject([{ kind: 'hand-over' }]);
    expect(status).toEqual(migration('Scheduling').status);
  });

  it('makes the target pod when it is its turn, and looks again soon when it is not', () => {
    expect(decide('Pending', {}).actions).toEqual([{ kind: 'create-target-pod' }]);
    expect(decide('Pending', { mayStart: false })).toMatchObject({ actions: [], requeueAfterMs: 3000 });
  });

  it('hands over with all that the handlers need to know', () => {
    const chosen = { settings: { ...MIGRATION_DEFAULTS, allowPostCopy: true }, policyName: 'fast' };

    const { actions, event } = decide('Scheduling', { targetPod: target, sourcePod: launcher(), chosen });

    expect(actions).toEqual([
      {
        kind: 'hand-over',
        labels: { 'kubevirt.io/migrationTargetNodeName': 'n2' },
        state: {
          migrationUid: 'mig-uid',
          sourceNode: 'n1',
          sourcePod: 'virt-launcher-vm-abc',
          targetNode: 'n2',
          targetPod: 'target',
          migrationConfiguration: chosen.settings,
          migrationPolicyName: 'fast',
        },
      },
    ]);
    expect(event).toMatchObject({ reason: 'SuccessfulHandOver' });
  });

  it('says why it failed, and deletes the target pod', () => {
    const { actions, status, event } = decide('Scheduling', { targetPod: unplaced(), seen: podSeen(300) });

    const message = 'Migration target pod found no node within 5 minutes: 0/2 nodes are available';
    expect(status.migrationState).toMatchObject({ failed: true, failureReason: message, endTimestamp: at(0) });
    expect(event).toEqual({ type: 'Warning', reason: 'FailedMigration', message });
    expect(actions).toEqual([{ kind: 'delete-target-pod', name: 'target', uid: 'target-uid' }]);
  });

  it('keeps the reason that the source gave', () => {
    const vmi = handed({ ...started, completed: true, failed: true, failureReason: 'Live migration stuck' });

    const { status, event } = decide('Running', { targetPod: target, vmi });

    expect(status.migrationState).toMatchObject({ failureReason: 'Live migration stuck' });
    expect(event?.message).toBe('source node reported migration failed: Live migration stuck');
  });

  it('is over at once when deleted before the hand-over', () => {
    const { actions, status, event } = decide('Scheduling', {
      targetPod: target,
      migration: migration('Scheduling', deleted),
    });

    expect(status).toMatchObject({
      phase: 'Failed',
      conditions: [{ type: 'migrationAbortRequested', status: 'True' }],
    });
    expect(event?.message).toBe('Migration failed due to being canceled');
    expect(actions).toEqual([expect.objectContaining({ kind: 'delete-target-pod' })]);
  });

  it.each<[string, Partial<MigrationFacts>]>([
    ['it is deleted', { migration: migration('Running', deleted), targetPod: target }],
    ['its target pod is gone', {}],
    ['its target pod has ended', { targetPod: launcher('ended') }],
    [
      'its target is prepared for too long',
      {
        targetPod: target,
        migration: migration('PreparingTarget'),
        seen: { phaseMs: 900_000, targetPodMs: 0 },
      },
    ],
  ])('asks the source to stop, once, when %s after the hand-over', (_when, facts) => {
    const asked = decide('Running', { vmi: handed(started), ...facts });
    const again = decide('Running', { vmi: handed({ ...started, abortRequested: true }), ...facts });

    expect(asked).toMatchObject({
      actions: [{ kind: 'request-abort' }],
      event: { reason: 'SuccessfulAbortMigration' },
    });
    expect(again.actions).toEqual([]);
  });

  it('does not ask to stop what has arrived', () => {
    const { actions, status } = decide('Running', {
      migration: migration('Running', deleted),
      vmi: handed({ ...started, completed: true }),
      targetPod: target,
    });

    expect({ actions, phase: status.phase }).toEqual({ actions: [], phase: 'Succeeded' });
  });

  it('lets go when it is over, and never deletes the pod of one that succeeded', () => {
    const finalizers = ['kubevirt.io/migrationJobFinalize'];

    expect(
      decide('', { migration: migration('Succeeded', { metadata: { finalizers } }), targetPod: target }).actions,
    ).toEqual([{ kind: 'remove-finalizer' }]);
    expect(
      decide('', { migration: migration('Failed', { metadata: { finalizers } }), targetPod: target }).actions,
    ).toEqual([{ kind: 'delete-target-pod', name: 'target', uid: 'target-uid' }, { kind: 'remove-finalizer' }]);
  });

  it('is given up by its source where it failed on an old view of the instance that it was handed over to', () => {
    const abort = { kind: 'request-abort', migrationUid: 'mig-uid' };

    expect(decide('Failed', { vmi: handed() }).actions).toEqual([abort]);
    expect(decide('Failed', { vmi: handed(started) }).actions).toEqual([abort]);
    expect(decide('Failed', { vmi: handed({ abortRequested: true }) }).actions).toEqual([]);
    expect(decide('Failed', { vmi: handed({ ...started, completed: true, failed: true }) }).actions).toEqual([]);
    expect(decide('Failed', { vmi: handed({ migrationUid: 'other' }) }).actions).toEqual([]);
    expect(decide('Succeeded', { vmi: handed() }).actions).toEqual([]);
  });

  it('still says why it failed when its source is asked to give it up', () => {
    const status = {
      phase: 'Failed',
      migrationState: { failed: true, failureReason: 'Migration target pod was removed' },
    };

    const decision = decide('', { migration: migration('Failed', { status }), vmi: handed(started) });

    expect(decision.status).toEqual(status);
    expect(decision.event).toBeUndefined();
  });

  it('writes nothing over an earlier one that its handlers still go by, and asks its source, once, to give it up', () => {
    const asked = decide('Scheduled', { targetPod: target, vmi: handed(earlier) });
    const waiting = decide('Scheduled', { targetPod: target, vmi: handed({ ...earlier, abortRequested: true }) });
    const next = decide('Scheduled', { targetPod: target, vmi: handed({ ...earlier, completed: true }) });

    expect(asked.actions).toEqual([{ kind: 'request-abort', migrationUid: 'earlier' }]);
    expect([asked.status.phase, asked.event]).toEqual(['Scheduled', undefined]);
    expect(waiting.actions).toEqual([]);
    expect(next.actions).toMatchObject([{ kind: 'hand-over' }]);
  });

  it('gives its pod and its turn back, and says what it waited for, when an earlier one does not end', () => {
    const failureReason = 'Nobody can tell whether it runs at the target';
    const seen = phaseSeen(900);
    const after = (change: VirtualMachineInstanceMigrationState): ReturnType<typeof decide> =>
      decide('Scheduled', { targetPod: target, seen, vmi: handed({ ...earlier, ...change }) });

    const message = 'Migration failed because an earlier one of the VMI is not over after 15 minutes';
    expect(after({ abortRequested: true })).toMatchObject({
      actions: [{ kind: 'delete-target-pod', name: 'target' }],
      status: { phase: 'Failed', migrationState: { failed: true, failureReason: message } },
      event: { type: 'Warning', reason: 'FailedMigration', message },
    });
    expect(after({ failureReason }).event?.message).toBe(`${message}: ${failureReason}`);
    expect(after({ completed: true }).actions).toMatchObject([{ kind: 'hand-over' }]);
  });

  it('tells of a quota that keeps the target pod out', () => {
    const problem = { reason: 'FailedCreate', message: 'pods "x" is forbidden: exceeded quota: small' };

    const { status } = decide('Pending', { problem });

    expect(status.conditions).toMatchObject([{ type: 'migrationRejectedByResourceQuota', status: 'True', ...problem }]);
  });
});

function decide(phase: string, facts: Partial<MigrationFacts>) {
  return decideMigration({
    migration: migration(phase),
    vmi: instance('Running'),
    sourcePod: undefined,
    targetPod: undefined,
    hasRival: false,
    mayStart: true,
    chosen: { settings: MIGRATION_DEFAULTS },
    seen: { phaseMs: 0, targetPodMs: 0 },
    now: NOW,
    ...facts,
  });
}

function handed(state: VirtualMachineInstanceMigrationState = {}) {
  return instance('Running', { migrationState: { migrationUid: 'mig-uid', targetNode: 'n2', ...state } });
}

function withPlugged(): ReturnType<typeof instance> {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } }];
  return instance('Running', {}, {}, guest({ volumes }));
}

function unplaced() {
  const conditions = [{ type: 'PodScheduled', status: 'False', message: '0/2 nodes are available' }];
  return launcher('starting', { name: 'target', status: { phase: 'Pending', conditions } });
}

function phaseSeen(seconds: number): MigrationFacts['seen'] {
  return { phaseMs: seconds * 1000, targetPodMs: seconds * 1000 };
}

function podSeen(seconds: number): MigrationFacts['seen'] {
  return { phaseMs: 0, targetPodMs: seconds * 1000 };
}
