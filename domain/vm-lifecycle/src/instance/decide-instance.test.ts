import { describe, expect, it } from 'vitest';

import { at, FINALIZER, guest, instance, INSTANCE_FINALIZER, launcher, NOW } from '../fixtures/objects.ts';
import { currentPod, decideInstance } from './decide-instance.ts';
import type { InstanceFacts } from './instance-facts.ts';

const SILENT = { kind: 'silent', lastHeartbeat: NOW - 600_000 } as const;
const arrived = { phaseTransitionTimestamps: [{ phase: 'Running', phaseTransitionTimestamp: at(-900) }] };

describe('decideInstance', () => {
  it('makes a pod for a new instance', () => {
    expect(decide({ vmi: instance('Pending') }).actions).toEqual([{ kind: 'create-pod' }]);
  });

  it.each<[string, Partial<InstanceFacts>]>([
    ['data volumes are filled', { storage: { dataVolumes: 'pending', missingClaims: [], claims: new Map() } }],
    ['a claim is missing', { storage: { dataVolumes: 'ready', missingClaims: ['root'], claims: new Map() } }],
    ['a migration is under way', { hasActiveMigration: true }],
    ['it is deleted', { vmi: instance('Pending', {}, { deletionTimestamp: at(0) }) }],
  ])('makes no pod while %s', (_when, facts) => {
    expect(decide({ vmi: instance('Pending'), ...facts }).actions).toEqual([]);
  });

  it('hands a placed instance over to the handler of its node in one write', () => {
    const vmi = instance(
      'Scheduling',
      {},
      { labels: { app: 'x' } },
      guest({ volumes: [{ name: 'root', emptyDisk: { capacity: '1Gi' } }] }),
    );

    const { write } = decide({ vmi, pods: [launcher()] });

    expect(write).toMatchObject({
      kind: 'update',
      instance: {
        metadata: { labels: { app: 'x', 'kubevirt.io/nodeName': 'n1' } },
        status: {
          phase: 'Scheduled',
          nodeName: 'n1',
          phaseTransitionTimestamps: [{ phase: 'Scheduled', phaseTransitionTimestamp: at(0) }],
          activePods: { 'virt-launcher-vm-abc-uid': 'n1' },
          volumeStatus: [{ name: 'root', target: '' }],
        },
      },
    });
  });

  it('writes single fields, each under a test, while the handler owns the object', () => {
    const conditions = [{ type: 'AgentConnected', status: 'True', lastProbeTime: null }];
    const activePods = { 'virt-launcher-vm-abc-uid': 'n1' };
    const vmi = instance('Running', { ...arrived, conditions, activePods, guestOSInfo: { name: 'x' } });

    const { write } = decide({ vmi, pods: [launcher()] });

    expect(write).toEqual({
      kind: 'patch',
      operations: [
        { op: 'test', path: '/status/nodeName', value: 'n1' },
        { op: 'test', path: '/status/conditions', value: conditions },
        {
          op: 'replace',
          path: '/status/conditions',
          value: [conditions[0], { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: at(0) }],
        },
      ],
    });
  });

  it('writes nothing when nothing has changed', () => {
    const first = decide({ vmi: instance('Scheduling'), pods: [launcher('starting')] }).write;
    const vmi = first.kind === 'update' ? first.instance : instance('');

    expect(decide({ vmi, pods: [launcher('starting')], now: NOW + 60_000 }).write).toEqual({ kind: 'none' });
  });

  it.each<[string, Partial<InstanceFacts> & Pick<InstanceFacts, 'vmi'>, object]>([
    ['PodNotExists', { vmi: instance('Pending') }, { message: 'virt-launcher pod has not yet been scheduled' }],
    ['PodTerminating', { vmi: instance('Running'), pods: [launcher('leaving')] }, { status: 'False' }],
    [
      'GuestNotRunning',
      { vmi: instance('Scheduling'), pods: [launcher('starting')] },
      { message: 'Guest VM is not reported as running' },
    ],
    [
      'PodConditionMissing',
      { vmi: instance('Running'), pods: [launcher('ready', { status: { conditions: [] } })] },
      { status: 'False' },
    ],
    [
      'NodeUnresponsive',
      { vmi: instance('Running'), pods: [launcher()], nodes: new Map([['n1', SILENT]]) },
      { message: expect.stringContaining('started elsewhere only when the node is known to be off') },
    ],
  ])('is not ready for the reason %s', (reason, facts, text) => {
    expect(conditionsAfter(facts)).toContainEqual(
      expect.objectContaining({ type: 'Ready', status: 'False', reason, ...text }),
    );
  });

  it('names the pod that leaves in the write that says that one does', () => {
    const { write } = decide({ vmi: instance('Running'), pods: [launcher('leaving', { name: 'that-pod' })] });

    expect(write).toMatchObject({
      operations: expect.arrayContaining([
        { op: 'add', path: '/metadata/annotations', value: { 'smalt.dev/leaving-pod': 'that-pod-uid' } },
      ]),
    });
  });

  it('shows why no node takes it, until one does', () => {
    const message = '0/3 nodes are available: 3 Insufficient memory.';
    const unplaced = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
    const pods = [launcher('starting', { status: { conditions: [unplaced] } })];
    const shown = conditionsAfter({ vmi: instance('Scheduling'), pods });

    expect(shown).toContainEqual(expect.objectContaining(unplaced));

    const vmi = instance('Scheduling', { conditions: [unplaced] });
    expect(conditionsAfter({ vmi, pods: [launcher()] })).not.toContainEqual(expect.objectContaining(unplaced));
  });

  it.each([
    [
      'an image that cannot be pulled',
      'ErrImagePull',
      { pods: [launcher('starting', { status: waiting('ErrImagePull') })] },
    ],
    [
      'an image that is tried again',
      'ImagePullBackOff',
      { pods: [launcher('starting', { status: waiting('ImagePullBackOff') })] },
    ],
    [
      'a refused pod',
      'FailedCreate',
      { problem: { reason: 'FailedCreate', message: 'exceeded quota' }, vmi: instance('Pending') },
    ],
    [
      'a missing claim',
      'FailedPvcNotFound',
      {
        vmi: instance('Pending'),
        storage: { dataVolumes: 'ready', missingClaims: ['root'], claims: new Map() } as const,
      },
    ],
  ])('tells of %s', (_what, reason, facts) => {
    expect(conditionsAfter({ vmi: instance('Scheduling'), ...facts })).toContainEqual(
      expect.objectContaining({ type: 'Synchronized', status: 'False', reason }),
    );
  });

  it('leaves what the handler says that keeps the guest from starting', () => {
    const trouble = { type: 'Synchronized', status: 'False', reason: 'Failed', message: 'disk full' } as const;
    const vmi = instance('Scheduled', { ...arrived, conditions: [trouble] });

    expect(conditionsAfter({ vmi, pods: [launcher()] })).toContainEqual(trouble);
  });

  it('keeps the gate of the pod in step with the guest', () => {
    const paused = instance('Running', { ...arrived, conditions: [{ type: 'Paused', status: 'True' }] });

    expect(decide({ vmi: paused, pods: [launcher()] }).actions).toEqual([
      {
        kind: 'set-pod-condition',
        name: 'virt-launcher-vm-abc',
        type: 'kubevirt.io/virtual-machine-unpaused',
        status: 'False',
      },
    ]);
    expect(decide({ vmi: instance('Running', arrived), pods: [launcher()] }).actions).toEqual([]);
  });

  it('leaves the gate of a pod that is only starting to who runs it', () => {
    const pod = launcher('starting', { status: { phase: 'Pending', conditions: [] } });

    expect(decide({ vmi: instance('Scheduling'), pods: [pod] }).actions).toEqual([]);
  });

  it('gives an instance that came past admission its finalizer, before anything runs', () => {
    const past = { finalizers: [] };

    const { write } = decide({ vmi: instance('Pending', {}, past), pods: [launcher('starting')] });
    const late = decide({ vmi: instance('Running', { ...arrived }, past), pods: [launcher()] }).write;

    expect(write).toMatchObject({ instance: { metadata: { finalizers: [INSTANCE_FINALIZER] } } });
    expect(JSON.stringify(late)).not.toContain(INSTANCE_FINALIZER);
  });

  it('does not write only because its pod was given a node', () => {
    const placed = { ...launcher('starting'), status: { phase: 'Pending', conditions: [] } };
    const pending = decide({
      vmi: instance('Pending'),
      pods: [{ ...placed, spec: { containers: [{ name: 'compute' }] } }],
    });
    const vmi = pending.write.kind === 'update' ? pending.write.instance : instance('Scheduling');

    expect(decide({ vmi, pods: [placed] }).write).toEqual({ kind: 'none' });
  });

  it('deletes the pod of an instance that is deleted, and waits for the handler to end it', () => {
    const vmi = instance('Running', arrived, { deletionTimestamp: at(0) });

    const { actions } = decide({ vmi, pods: [launcher()] });

    expect(actions).toContainEqual({
      kind: 'delete-pod',
      name: 'virt-launcher-vm-abc',
      uid: 'virt-launcher-vm-abc-uid',
      isForced: false,
    });
  });

  it('lets an ended instance go when its last pod is gone', () => {
    const finalizers = [INSTANCE_FINALIZER, FINALIZER];
    const vmi = instance('Succeeded', {}, { finalizers });

    expect(decide({ vmi, pods: [launcher('leaving')] }).write).not.toMatchObject({
      instance: { metadata: { finalizers: [FINALIZER] } },
    });
    expect(decide({ vmi }).write).toMatchObject({ instance: { metadata: { finalizers: [FINALIZER] } } });
    expect(decide({ vmi, hasOwner: false }).write).toMatchObject({ instance: { metadata: { finalizers: [] } } });
  });

  it('leaves all as it is when a node falls silent', () => {
    const vmi = instance('Running', arrived);

    const { actions, write } = decide({ vmi, pods: [launcher()], nodes: new Map([['n1', SILENT]]) });

    expect(actions).toEqual([]);
    expect(JSON.stringify(write)).not.toContain('/status/phase');
  });

  it('gives up an instance whose node is off, and its pods without waiting for the node', () => {
    const vmi = instance('Running', arrived);
    const nodes = new Map([['n1', SILENT]]);

    const { actions, write } = decide({
      vmi,
      pods: [launcher()],
      nodes,
      fenceProofs: [{ nodeName: 'n1', offAt: NOW }],
    });

    expect(actions).toContainEqual(expect.objectContaining({ kind: 'delete-pod', isForced: true }));
    expect(write).toMatchObject({
      operations: expect.arrayContaining([
        { op: 'test', path: '/status/phase', value: 'Running' },
        { op: 'replace', path: '/status/phase', value: 'Failed' },
        { op: 'add', path: '/status/reason', value: 'NodeUnresponsive' },
      ]),
    });
  });

  it('keeps to the pod that a second migration leaves from, which was the target of the first', () => {
    const first = launcher('ready', { name: 'first', labels: { 'kubevirt.io/migrationJobUID': 'gone' } });
    const second = launcher('ready', {
      name: 'second',
      nodeName: 'n2',
      labels: { 'kubevirt.io/migrationJobUID': 'm2' },
    });
    const state = { sourcePod: 'first', targetPod: 'second', targetNode: 'n2' };

    const under = currentPod({ vmi: instance('Running', { migrationState: state }), pods: [second, first] });
    const failed = currentPod({
      vmi: instance('Running', { migrationState: { ...state, completed: true, failed: true } }),
      pods: [second, first],
    });

    expect([under, failed]).toEqual([first, first]);
  });

  it('clears up a pod that was a target once and was left in turn, when no migration needs it', () => {
    const left = launcher('ended', { name: 'left', labels: { 'kubevirt.io/migrationJobUID': 'm1' } });
    const home = launcher('ready', { name: 'home', labels: { 'kubevirt.io/migrationJobUID': 'm2' } });
    const migrationState = { sourcePod: 'left', targetPod: 'home', completed: true };
    const facts = { vmi: instance('Running', { ...arrived, migrationState }), pods: [left, home] };

    expect(decide(facts).actions).toEqual([{ kind: 'delete-pod', name: 'left', uid: 'left-uid', isForced: false }]);
    expect(decide({ ...facts, hasActiveMigration: true }).actions).toEqual([]);
  });

  it('says nothing of the target of a migration before that has a node', () => {
    const vmi = instance('Running', { ...arrived, activePods: { 'home-uid': 'n1' } });
    const labels = { 'kubevirt.io/migrationJobUID': 'm' };
    const placed = launcher('starting', { name: 'target', nodeName: 'n2', labels });
    const { nodeName: _, ...spec } = placed.spec;
    const operations = [{ ...placed, spec }, placed].map((target) => {
      const { write } = decide({ vmi, pods: [launcher('ready', { name: 'home' }), target] });
      return write.kind === 'patch' ? write.operations.filter(({ path }) => path === '/status/activePods') : [];
    });

    expect(operations[0]).toEqual([]);
    expect(operations[1]).toContainEqual(expect.objectContaining({ value: { 'home-uid': 'n1', 'target-uid': 'n2' } }));
  });

  it('goes on with the pod at the target after a migration, and clears up the one at the source', () => {
    const target = launcher('ready', {
      name: 'target',
      nodeName: 'n2',
      labels: { 'kubevirt.io/migrationJobUID': 'm' },
    });
    const migrationState = { completed: true, targetPod: 'target', targetNode: 'n2' };
    const vmi = instance('Running', { ...arrived, nodeName: 'n2', migrationState });

    const { actions, write } = decide({ vmi, pods: [launcher('ended'), target] });

    expect(actions).toEqual([
      expect.objectContaining({ kind: 'delete-pod', name: 'virt-launcher-vm-abc', isForced: false }),
    ]);
    expect(write).toMatchObject({
      operations: expect.arrayContaining([{ op: 'add', path: '/status/activePods', value: { 'target-uid': 'n2' } }]),
    });
  });
});

function decide(facts: Partial<InstanceFacts> & Pick<InstanceFacts, 'vmi'>) {
  return decideInstance({
    pods: [],
    storage: { dataVolumes: 'ready', missingClaims: [], claims: new Map() },
    hasOwner: true,
    hasActiveMigration: false,
    nodes: new Map(['n1', 'n2'].map((name) => [name, { kind: 'alive', lastHeartbeat: NOW, silentInMs: 1 }])),
    fenceProofs: [],
    now: NOW,
    ...facts,
  });
}

function conditionsAfter(facts: Partial<InstanceFacts> & Pick<InstanceFacts, 'vmi'>): unknown {
  const { write } = decide(facts);
  if (write.kind === 'update') return write.instance.status?.conditions;
  if (write.kind === 'none') return facts.vmi.status?.conditions;
  return write.operations.flatMap((each) =>
    each.path === '/status/conditions' && each.op !== 'test' && each.op !== 'remove' ? [each.value] : [],
  )[0];
}

function waiting(reason: string) {
  return { phase: 'Pending', containerStatuses: [{ name: 'compute', ready: false, state: { waiting: { reason } } }] };
}
