import type { JsonObject } from '@smalt/json';
import { expect, it } from 'vitest';

import type { AdmissionWrite } from './admission-write.ts';
import { validateLauncherPod } from './launcher-pod-rules.ts';
import { controlPlaneIn } from './requester-of.ts';

const deps = { controlPlane: controlPlaneIn('smalt-system') };
const LABEL = 'metadata.labels[kubevirt.io/created-by]';
const OWNERS = 'metadata.ownerReferences';
const labelled = { labels: { 'kubevirt.io/created-by': 'u1' } };
const owned = owner('VirtualMachineInstance', 'kubevirt.io/v1');

it.each<{ readonly what: string; readonly old?: JsonObject; readonly new: JsonObject; readonly fields: string[] }>([
  { what: 'a new pod of their own', new: {}, fields: [] },
  { what: 'a new pod of a replica set', new: owner('ReplicaSet', 'apps/v1'), fields: [] },
  { what: 'a kind of another group', new: owner('VirtualMachineInstance', 'example.org/v1'), fields: [] },
  { what: 'a new pod with the label', new: labelled, fields: [LABEL] },
  { what: 'a new pod with the owner', new: owned, fields: [OWNERS] },
  {
    what: 'an old version of the owner',
    new: owner('VirtualMachineInstance', 'kubevirt.io/v1alpha3'),
    fields: [OWNERS],
  },
  { what: 'a pod that gets both', old: {}, new: { ...labelled, ...owned }, fields: [LABEL, OWNERS] },
  { what: 'a label that changes', old: { labels: { 'kubevirt.io/created-by': 'u2' } }, new: labelled, fields: [LABEL] },
  { what: 'a label that goes', old: labelled, new: {}, fields: [LABEL] },
  {
    what: 'an owner that changes',
    old: owner('VirtualMachineInstance', 'kubevirt.io/v1', 'u2'),
    new: owned,
    fields: [OWNERS],
  },
  { what: 'an owner that goes', old: owned, new: {}, fields: [] },
  { what: 'a launcher that stays one', old: { ...labelled, ...owned }, new: { ...labelled, ...owned }, fields: [] },
])('finds $fields against $what of somebody else', ({ old, new: written, fields }) => {
  const { causes } = validateLauncherPod(deps, write('mallory', written, old));

  expect(causes.map(({ field }) => field)).toEqual(fields);
});

it.each([
  { name: 'system:serviceaccount:smalt-system:smalt-virt-controller', count: 0 },
  // A node that was taken over must not make launchers for others.
  { name: 'system:serviceaccount:smalt-system:smalt-virt-handler', count: 2 },
  { name: 'system:serviceaccount:tenant:smalt-virt-controller', count: 2 },
])('has $count things against a launcher that $name makes', ({ name, count }) => {
  const { causes } = validateLauncherPod(deps, write(name, { ...labelled, ...owned }));

  expect(causes).toHaveLength(count);
});

function owner(kind: string, apiVersion: string, uid: string = 'u1'): JsonObject {
  return { ownerReferences: [{ apiVersion, kind, name: 'vm', uid, controller: true }] };
}

function write(name: string, metadata: JsonObject, old?: JsonObject): AdmissionWrite {
  return {
    operation: old === undefined ? 'CREATE' : 'UPDATE',
    group: '',
    plural: 'pods',
    subresource: '',
    namespace: 'default',
    name: 'p',
    object: { metadata },
    oldObject: old === undefined ? undefined : { metadata: old },
    user: { name, groups: [], extra: {} },
    dryRun: false,
    isProven: true,
  };
}
