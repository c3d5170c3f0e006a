import { placePod, type Node } from '@smalt/placement';
import { describe, expect, it } from 'vitest';

import { guest, instance, migration, node } from '../fixtures/objects.ts';
import { buildLauncherPod } from '../launcher-pod/build-launcher-pod.ts';
import { buildTargetPod } from './build-target-pod.ts';

const driver = { name: 'qemu-kvm', device: undefined, overheadBytes: 0n, runsPrivileged: false, emulatesMachine: true };
const settings = { image: 'launcher', driver };
const sourceLabels = {
  'cpu-vendor.node.kubevirt.io/Intel': 'true',
  'host-model-cpu.node.kubevirt.io/Skylake': 'true',
  'host-model-required-features.node.kubevirt.io/avx': 'true',
  other: 'label',
};

describe('buildTargetPod', () => {
  it('is another pod of the same instance, marked with its migration', () => {
    const { metadata } = target();

    expect(metadata).toMatchObject({
      name: 'virt-launcher-vm-miguid',
      labels: { 'kubevirt.io/created-by': 'vmi-uid', 'kubevirt.io/migrationJobUID': 'mig-uid' },
      annotations: { 'kubevirt.io/migrationJobName': 'mig' },
    });
  });

  it('needs the processor that the guest was started with', () => {
    const spec = guest({ domain: { cpu: { model: 'host-model' }, devices: {} } });

    expect(target(spec).spec.nodeSelector).toMatchObject({
      'cpu-vendor.node.kubevirt.io/Intel': 'true',
      'cpu-model-migration.node.kubevirt.io/Skylake': 'true',
      'cpu-feature.node.kubevirt.io/avx': 'true',
    });
  });

  it('needs no more than the vendor when the model is named', () => {
    const selector = target(guest({ domain: { cpu: { model: 'Haswell' }, devices: {} } })).spec.nodeSelector ?? {};

    expect(Object.keys(selector).filter((key) => key.includes('migration'))).toEqual([]);
    expect(selector).toMatchObject({ 'cpu-vendor.node.kubevirt.io/Intel': 'true' });
  });

  it('lets the migration narrow the choice, but not against the instance', () => {
    const added = { rack: 'r1', zone: 'b' };

    expect(target(guest({ nodeSelector: { zone: 'a' } }), added).spec.nodeSelector).toMatchObject({
      rack: 'r1',
      zone: 'a',
    });
  });

  it('goes to another node than the source, even when that is the emptiest', () => {
    const vmi = instance('Running');
    const source = buildLauncherPod(vmi, settings);
    const onSource = { ...source, spec: { ...source.spec, nodeName: 'n1' } };

    expect(placePod(target(), [able('n1'), able('n2')], [onSource])).toEqual({ kind: 'placed', nodeName: 'n2' });
    expect(placePod(target(), [able('n1')], [onSource])).toMatchObject({
      message: `0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules.`,
    });
  });
});

function target(spec = guest(), addedNodeSelector: Readonly<Record<string, string>> = {}) {
  return buildTargetPod({
    vmi: instance('Running', {}, {}, spec),
    migration: migration('Pending', { spec: { addedNodeSelector } }),
    sourceLabels,
    settings,
  });
}

function able(name: string): Node {
  const labels = {
    ...sourceLabels,
    'kubernetes.io/hostname': name,
    'kubevirt.io/schedulable': 'true',
    'kubernetes.io/arch': 'amd64',
    'hypervisor.node.kubevirt.io/qemu-kvm': 'true',
    'cpu-model-migration.node.kubevirt.io/Skylake': 'true',
    'cpu-feature.node.kubevirt.io/avx': 'true',
  };
  const allocatable = { cpu: '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '10Gi' };
  return { ...node(name, 0, labels), status: { allocatable } };
}
