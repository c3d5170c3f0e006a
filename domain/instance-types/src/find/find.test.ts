import type { VirtualMachine, VirtualMachineInstancetype } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { inferenceSource, inferFromLabels, withInference } from './infer.ts';
import { annotationOf, referencedBy } from './matcher.ts';
import { isRevisionOf, revisionOf, specInRevision } from './revision.ts';
import { statusReference } from './status-reference.ts';

describe('referencedBy', () => {
  it.each([
    {
      kind: undefined,
      found: 'VirtualMachineClusterInstancetype',
      annotation: 'kubevirt.io/cluster-instancetype-name',
    },
    {
      kind: 'VirtualMachineInstancetype',
      found: 'VirtualMachineInstancetype',
      annotation: 'kubevirt.io/instancetype-name',
    },
    {
      kind: 'virtualmachineinstancetypes',
      found: 'VirtualMachineInstancetype',
      annotation: 'kubevirt.io/instancetype-name',
    },
    {
      kind: 'virtualMachineClusterInstancetype',
      found: 'VirtualMachineClusterInstancetype',
      annotation: 'kubevirt.io/cluster-instancetype-name',
    },
    { kind: 'VirtualMachinePreference', found: undefined, annotation: undefined },
  ])('takes $kind for $found', ({ kind, found, annotation }) => {
    const referenced = referencedBy('instancetype', { name: 'small', ...(kind === undefined ? {} : { kind }) });

    expect(referenced?.kind.kind).toBe(found);
    expect(referenced === undefined ? undefined : annotationOf('instancetype', referenced)).toBe(annotation);
  });
});

describe('a revision', () => {
  const referenced = referencedBy('instancetype', { name: 'small', kind: 'VirtualMachineInstancetype' });
  if (referenced === undefined) throw new Error('the kind is known');

  it('keeps the object under a name that changes with it', () => {
    const { name, labels, data } = revisionOf(machine({}), referenced, smallType(3));

    expect(name).toBe('vm-small-v1beta1-u1-3');
    expect(labels).toMatchObject({
      'instancetype.kubevirt.io/object-name': 'small',
      'instancetype.kubevirt.io/object-generation': '3',
    });
    expect(specInRevision('instancetype', data)).toEqual(smallType(3).spec);
    expect(isRevisionOf(labels, 'small')).toBe(true);
    expect(isRevisionOf(labels, 'other')).toBe(false);
  });

  it.each([
    ['of something else', { kind: 'VirtualMachinePreference', spec: {} }],
    ['without a spec', { kind: 'VirtualMachineInstancetype' }],
    ['without processors', { kind: 'VirtualMachineInstancetype', spec: {} }],
    ['of nothing', null],
  ])('is no instance type when it is one %s', (_what, data) => {
    expect(specInRevision('instancetype', data)).toBeUndefined();
  });
});

describe('statusReference', () => {
  const pinned = { name: 'small', kind: 'VirtualMachineInstancetype', controllerRevisionRef: { name: 'kept' } };

  it('wants a revision for a choice that has none', () => {
    expect(statusReference({ name: 'small' }, undefined)).toEqual({
      reference: { name: 'small' },
      needsRevision: true,
    });
  });

  it('keeps the revision as long as the choice stays', () => {
    expect(statusReference({ name: 'small' }, pinned)).toEqual({ reference: pinned, needsRevision: false });
  });

  it('wants another one for another choice', () => {
    expect(statusReference({ name: 'large' }, pinned)).toMatchObject({
      reference: { name: 'large' },
      needsRevision: true,
    });
    expect(statusReference({ name: 'large' }, pinned).reference.controllerRevisionRef).toBeUndefined();
  });

  it('takes the revision that the machine names', () => {
    expect(statusReference({ name: 'large', revisionName: 'mine' }, pinned)).toMatchObject({
      reference: { name: 'large', controllerRevisionRef: { name: 'mine' } },
      needsRevision: false,
    });
  });
});

describe('inference', () => {
  it.each([
    { volume: 'claim', source: { kind: 'claim', namespace: 'default', name: 'root' } },
    { volume: 'there', source: { kind: 'claim', namespace: 'default', name: 'dv' } },
    { volume: 'cloned', source: { kind: 'claim', namespace: 'images', name: 'golden' } },
    { volume: 'imported', source: { kind: 'none', isIgnorable: true } },
    { volume: 'image', source: { kind: 'none', isIgnorable: true } },
    { volume: 'missing', source: { kind: 'none', isIgnorable: false } },
  ])('looks for $volume at $source', ({ volume, source }) => {
    expect(inferenceSource(machine({}), volume)).toMatchObject(source);
  });

  it('reads name and kind from labels', () => {
    const labels = {
      'instancetype.kubevirt.io/default-preference': 'linux',
      'instancetype.kubevirt.io/default-preference-kind': 'VirtualMachinePreference',
    };

    expect(inferFromLabels('preference', labels)).toEqual({
      kind: 'inferred',
      name: 'linux',
      ofKind: 'VirtualMachinePreference',
    });
    expect(inferFromLabels('instancetype', labels)).toMatchObject({ kind: 'none', isIgnorable: true });
  });

  it('puts what was found in the place of the volume', () => {
    const given = machine({ instancetype: { inferFromVolume: 'claim' } });

    const found = withInference(given, 'instancetype', { kind: 'inferred', name: 'small', ofKind: undefined });

    expect(found.spec.instancetype).toEqual({ name: 'small' });
    expect(found.spec.template.spec?.domain.memory).toEqual({ guest: '1Gi' });
  });

  it('takes the memory for a substitute where failures are ignored', () => {
    const instancetype = { inferFromVolume: 'claim', inferFromVolumeFailurePolicy: 'Ignore' };

    const found = withInference(machine({ instancetype }), 'instancetype', {
      kind: 'inferred',
      name: 'a',
      ofKind: 'b',
    });
    const failed = withInference(machine({ instancetype }), 'instancetype', {
      kind: 'none',
      message: '',
      isIgnorable: true,
    });
    const broken = withInference(machine({ instancetype }), 'instancetype', {
      kind: 'none',
      message: '',
      isIgnorable: false,
    });

    expect(found.spec).toMatchObject({ instancetype: { name: 'a', kind: 'b' } });
    expect(found.spec.template.spec?.domain.memory).toBeUndefined();
    expect(failed.spec.instancetype).toBeUndefined();
    expect(failed.spec.template.spec?.domain.memory).toEqual({ guest: '1Gi' });
    expect(broken.spec.instancetype).toEqual(instancetype);
  });
});

function machine(chosen: Partial<VirtualMachine['spec']>): VirtualMachine {
  const volumes = [
    { name: 'claim', persistentVolumeClaim: { claimName: 'root' } },
    { name: 'there', dataVolume: { name: 'dv' } },
    { name: 'cloned', dataVolume: { name: 'clone' } },
    { name: 'imported', dataVolume: { name: 'import' } },
    { name: 'image', containerDisk: { image: 'demo' } },
  ];
  const dataVolumeTemplates = [
    { metadata: { name: 'clone' }, spec: { source: { pvc: { name: 'golden', namespace: 'images' } } } },
    { metadata: { name: 'import' }, spec: { source: { http: { url: 'http://somewhere' } } } },
  ];
  const template = { spec: { domain: { memory: { guest: '1Gi' }, devices: {} }, volumes } };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'vm', namespace: 'default' },
    spec: { template, dataVolumeTemplates, ...chosen },
  };
}

function smallType(generation: number): VirtualMachineInstancetype {
  return {
    apiVersion: 'instancetype.kubevirt.io/v1beta1',
    kind: 'VirtualMachineInstancetype',
    metadata: { name: 'small', namespace: 'default', uid: 'u1', generation },
    spec: { cpu: { guest: 1 }, memory: { guest: '1Gi' } },
  };
}
