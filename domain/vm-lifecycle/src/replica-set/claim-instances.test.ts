import type { OwnerReference } from '@smalt/kubernetes';
import type {
  VirtualMachineInstance,
  VirtualMachineInstanceReplicaSet,
  VirtualMachineInstanceReplicaSetSpec,
} from '@smalt/vm-api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { at, guest, instance } from '../fixtures/objects.ts';
import { claimInstances } from './claim-instances.ts';

const OURS: OwnerReference = owner('VirtualMachineInstanceReplicaSet', 'web', 'set-uid');
const THEIRS: OwnerReference = owner('VirtualMachine', 'a', 'vm-uid');
const NOTE: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'note', uid: 'note-uid' };

describe('claimInstances', () => {
  it.each<[string, VirtualMachineInstance, Outcome]>([
    ['keeps what it has', replica([OURS]), 'own'],
    ['takes what matches and nobody looks after', replica([]), 'adopted'],
    ['takes what matches and only belongs to somebody', replica([NOTE]), 'adopted'],
    ['lets go of what no longer matches', replica([OURS], { labels: { app: 'other' } }), 'released'],
    ['lets go of what no longer matches and ends', replica([OURS], { labels: {}, ...LEAVING }), 'released'],
    ['leaves what somebody else looks after', replica([THEIRS]), 'none'],
    ['leaves what another set of the same name has', replica([{ ...OURS, uid: 'older' }]), 'none'],
    ['leaves what does not match', replica([], { labels: { app: 'other' } }), 'none'],
    ['leaves what is being deleted', replica([], LEAVING), 'none'],
    ['leaves what has ended', replica([], {}, 'Succeeded'), 'none'],
    ['keeps what has ended, to delete it', replica([OURS], {}, 'Failed'), 'own'],
  ])('%s', (_what, candidate, outcome) => {
    expect(outcomeOf(set(), candidate)).toBe(outcome);
  });

  it('adds itself to the owners of what it takes, and leaves the others', () => {
    const [adopted] = claimInstances(set(), [replica([NOTE])]).adopted;

    expect(adopted?.ownerReferences).toEqual([NOTE, OURS]);
  });

  it('takes itself from the owners of what it lets go of, and leaves the others', () => {
    const [released] = claimInstances(set(), [replica([NOTE, OURS], { labels: {} })]).released;

    expect(released?.ownerReferences).toEqual([NOTE]);
  });

  it('takes nothing and lets go of nothing while it is being deleted', () => {
    const candidates = [replica([]), replica([OURS], { labels: {} }), replica([OURS], { name: 'kept' })];

    expect(claimInstances(set({}, LEAVING), candidates)).toEqual({ own: [candidates[2]], adopted: [], released: [] });
  });

  it('takes nothing and lets go of nothing while its selector does not match its template', () => {
    const candidates = [replica([], { labels: { app: 'other' } }), replica([OURS])];
    const wrong = set({ selector: { matchLabels: { app: 'other' } } });

    expect(claimInstances(wrong, candidates)).toEqual({ own: [candidates[1]], adopted: [], released: [] });
  });

  it('takes nothing when its selector matches everything', () => {
    const candidates = [replica([]), replica([OURS], { labels: {} })];

    expect(claimInstances(set({ selector: {} }), candidates)).toEqual({
      own: [candidates[1]],
      adopted: [],
      released: [],
    });
  });

  it('does it while it is paused too', () => {
    expect(outcomeOf(set({ paused: true }), replica([]))).toBe('adopted');
  });

  it('never touches what somebody else looks after, nor takes what ends or another label says', () => {
    fc.assert(
      fc.property(fc.array(anyInstance(), { maxLength: 20 }), fc.boolean(), (instances, isLeaving) => {
        const { own, adopted, released } = claimInstances(set({}, isLeaving ? LEAVING : {}), instances);

        const written = [...adopted, ...released].map(({ object }) => object);
        expect(new Set([...own, ...written]).size).toBe(own.length + written.length);
        expect([...own, ...written].some((each) => isControlledBy(each, THEIRS))).toBe(false);
        expect(adopted.every(({ object }) => mayBeTaken(object)) && (!isLeaving || written.length === 0)).toBe(true);
        expect(released.every(({ ownerReferences }) => !ownerReferences.includes(OURS))).toBe(true);
      }),
    );
  });
});

type Outcome = 'own' | 'adopted' | 'released' | 'none';
const LEAVING = { deletionTimestamp: at(0) };

function outcomeOf(replicaSet: VirtualMachineInstanceReplicaSet, candidate: VirtualMachineInstance): Outcome {
  const { own, adopted, released } = claimInstances(replicaSet, [candidate]);
  if (own.length > 0) return 'own';
  if (adopted.length > 0) return 'adopted';
  return released.length > 0 ? 'released' : 'none';
}

function set(
  spec: Partial<VirtualMachineInstanceReplicaSetSpec> = {},
  metadata: Partial<VirtualMachineInstanceReplicaSet['metadata']> = {},
): VirtualMachineInstanceReplicaSet {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet',
    metadata: { name: 'web', namespace: 'default', uid: 'set-uid', ...metadata },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: guest() },
      ...spec,
    },
  };
}

function replica(
  ownerReferences: readonly OwnerReference[],
  metadata: Partial<VirtualMachineInstance['metadata']> = {},
  phase = 'Running',
): VirtualMachineInstance {
  return instance(phase, {}, { labels: { app: 'web' }, ownerReferences, ...metadata });
}

function anyInstance(): fc.Arbitrary<VirtualMachineInstance> {
  return fc
    .record({
      owners: fc.subarray([NOTE, OURS, THEIRS]).filter((owners) => !(owners.includes(OURS) && owners.includes(THEIRS))),
      app: fc.constantFrom('web', 'other'),
      isLeaving: fc.boolean(),
      phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
    })
    .map(({ owners, app, isLeaving, phase }) =>
      replica(owners, { labels: { app }, ...(isLeaving ? LEAVING : {}) }, phase),
    );
}

function mayBeTaken({ metadata, status }: VirtualMachineInstance): boolean {
  const isFree = metadata.ownerReferences?.every(({ controller }) => controller !== true) === true;
  const isThere = metadata.deletionTimestamp === undefined && ['Pending', 'Running'].includes(status?.phase ?? '');
  return isFree && isThere && metadata.labels?.['app'] === 'web';
}

function isControlledBy({ metadata }: VirtualMachineInstance, other: OwnerReference): boolean {
  return metadata.ownerReferences?.includes(other) === true;
}

function owner(kind: string, name: string, uid: string): OwnerReference {
  return { apiVersion: 'kubevirt.io/v1', kind, name, uid, controller: true, blockOwnerDeletion: true };
}
