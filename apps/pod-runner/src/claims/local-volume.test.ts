import { describe, expect, it } from 'vitest';

import type { PersistentVolume, PersistentVolumeClaim } from '../volumes/volume-kinds.ts';
import { decideReclaim, isVolumeOf, localVolume, volumeName } from './local-volume.ts';

it('makes the volume of a claim on its node, under a name of its uid', () => {
  const made = localVolume(claim('u1'), { nodeName: 'n1', volumesDirectory: '/volumes' });

  expect(volumeName(claim('u1'))).toBe('pvc-u1');
  expect(made).toMatchObject({
    metadata: { name: 'pvc-u1', labels: { 'smalt.dev/volume-node': 'n1' } },
    spec: {
      capacity: { storage: '5Gi' },
      hostPath: { path: '/volumes/u1' },
      claimRef: { namespace: 'default', name: 'data', uid: 'u1' },
      persistentVolumeReclaimPolicy: 'Delete',
    },
  });
  expect(JSON.stringify(made.spec.nodeAffinity)).toContain('"values":["n1"]');
});

it.each([
  { case: 'names it in full', claimRef: { namespace: 'default', name: 'data', uid: 'u1' }, isIts: true },
  {
    case: 'names an older claim of the name',
    claimRef: { namespace: 'default', name: 'data', uid: 'u0' },
    isIts: false,
  },
  { case: 'names another namespace', claimRef: { namespace: 'bank', name: 'data', uid: 'u1' }, isIts: false },
  { case: 'names another claim', claimRef: { namespace: 'default', name: 'other', uid: 'u1' }, isIts: false },
  { case: 'has no uid', claimRef: { namespace: 'default', name: 'data' }, isIts: false },
  { case: 'names nobody', claimRef: undefined, isIts: false },
])('a volume that $case belongs to the claim: $isIts', ({ claimRef, isIts }) => {
  const given = volume('Retain');
  const spec = { hostPath: { path: '/data' }, ...(claimRef === undefined ? {} : { claimRef }) };

  expect(isVolumeOf({ ...given, spec }, claim('u1'))).toBe(isIts);
});

describe('decideReclaim', () => {
  it.each([
    { case: 'its claim is there', claim: claim('u1'), isUsed: false, policy: 'Delete', step: 'keep' },
    { case: 'its claim is gone', claim: undefined, isUsed: false, policy: 'Delete', step: 'remove' },
    { case: 'another claim has the name', claim: claim('u2'), isUsed: false, policy: 'Delete', step: 'remove' },
    { case: 'a pod still has it', claim: undefined, isUsed: true, policy: 'Delete', step: 'wait' },
    { case: 'it is to be retained', claim: undefined, isUsed: false, policy: 'Retain', step: 'keep' },
  ])('$step when $case', ({ claim: found, isUsed, policy, step }) => {
    expect(decideReclaim({ volume: volume(policy), claim: found, isUsed })).toBe(step);
  });
});

function claim(uid: string): PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default', uid },
    spec: { resources: { requests: { storage: '5Gi' } } },
  };
}

function volume(persistentVolumeReclaimPolicy: string): PersistentVolume {
  const claimRef = { namespace: 'default', name: 'data', uid: 'u1' };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pvc-u1' },
    spec: { claimRef, persistentVolumeReclaimPolicy },
  };
}
