import type { NodeAbilities } from '@smalt/vm-lifecycle';
import { describe, expect, it } from 'vitest';

import type { HandledNode } from './handled-node.ts';
import { closingPatch, planNodePatch, type NodePatchFacts } from './plan-node-patch.ts';

const NOW = Date.UTC(2026, 0, 1, 0, 0, 0, 500);
const HEARTBEAT = { 'kubevirt.io/heartbeat': '2026-01-01T00:00:00Z' };
const DEVICES = { 'devices.kubevirt.io/kvm': '1000', 'devices.kubevirt.io/tun': '1000' };

describe('planNodePatch', () => {
  it('tells all of a node that says nothing yet', () => {
    expect(planNodePatch(facts({ annotations: { 'smalt.dev/virt-handler-url': 'https://192.0.2.1:8186' } }))).toEqual({
      metadata: {
        metadata: {
          labels: {
            'hypervisor.node.kubevirt.io/qemu-kvm': 'true',
            'machine-type.node.kubevirt.io/q35': 'true',
            'kubevirt.io/schedulable': 'true',
            cpumanager: 'false',
            'kubevirt.io/cpumanager': 'false',
          },
          annotations: { ...HEARTBEAT, 'smalt.dev/virt-handler-url': 'https://192.0.2.1:8186' },
        },
      },
      status: { status: { capacity: DEVICES, allocatable: DEVICES } },
    });
  });

  it('writes nothing but the heartbeat when nothing has changed', () => {
    const known = {
      labels: {
        'hypervisor.node.kubevirt.io/qemu-kvm': 'true',
        'machine-type.node.kubevirt.io/q35': 'true',
        'kubevirt.io/schedulable': 'true',
        cpumanager: 'false',
        'kubevirt.io/cpumanager': 'false',
      },
    };
    const amounts = { 'devices.kubevirt.io/kvm': '1k', 'devices.kubevirt.io/tun': 1000, cpu: '2' };
    const status = { capacity: amounts, allocatable: amounts };

    expect(planNodePatch(facts({ node: node(known, status) }))).toEqual({
      metadata: { metadata: { labels: {}, annotations: HEARTBEAT } },
      status: undefined,
    });
  });

  it('keeps new guests off while no hypervisor answers, and takes its devices back', () => {
    const down = abilities(false);
    const plan = planNodePatch(facts({ node: node({}, { capacity: DEVICES }), abilities: down, networkDevices: [] }));

    expect(plan.metadata.metadata.labels).toMatchObject({ 'kubevirt.io/schedulable': 'false' });
    expect(plan.status?.status.capacity).toEqual({ 'devices.kubevirt.io/kvm': null, 'devices.kubevirt.io/tun': null });
  });

  it('takes no word back while a hypervisor has not said yet what its guests can have, but those of drivers', () => {
    const labels = {
      'hypervisor.node.kubevirt.io/lxc': 'true',
      'cpu-model.node.kubevirt.io/Skylake': 'true',
      'kubevirt.io/sev': 'true',
    };
    const plan = planNodePatch(facts({ node: node({ labels }), areAbilitiesComplete: false }));

    expect(plan.metadata.metadata.labels).toEqual({
      'hypervisor.node.kubevirt.io/lxc': null,
      'hypervisor.node.kubevirt.io/qemu-kvm': 'true',
      'machine-type.node.kubevirt.io/q35': 'true',
      'kubevirt.io/schedulable': 'true',
      cpumanager: 'false',
      'kubevirt.io/cpumanager': 'false',
    });
  });

  it('leaves devices to a kubelet', () => {
    const plan = planNodePatch(facts({ keeper: 'kubelet' }));

    expect(plan.metadata.metadata.labels).toMatchObject({ 'kubevirt.io/schedulable': 'true' });
    expect(plan.status).toBeUndefined();
  });

  it('keeps new guests off while a kubelet does not know of the devices', () => {
    const plan = planNodePatch(facts({ keeper: 'absent-kubelet' }));

    expect(plan.metadata.metadata.labels).toMatchObject({ 'kubevirt.io/schedulable': 'false' });
    expect(plan.status).toBeUndefined();
  });

  it('leaves labels and devices as they are before libvirt was heard', () => {
    const manager = { cpumanager: 'false', 'kubevirt.io/cpumanager': 'false' };
    const open = { 'hypervisor.node.kubevirt.io/qemu-kvm': 'true', 'kubevirt.io/schedulable': 'false' };
    const labels = { ...open, ...manager };
    const plan = planNodePatch(facts({ node: node({ labels }, { capacity: DEVICES }), abilities: undefined }));

    expect(plan).toEqual({ metadata: { metadata: { labels: {}, annotations: HEARTBEAT } }, status: undefined });
  });
});

it('tells whether pods can have processors to themselves', () => {
  const labels = { cpumanager: 'false', 'kubevirt.io/cpumanager': 'false' };

  const plan = planNodePatch(facts({ node: node({ labels }), hasCpuManager: true }));

  expect(plan.metadata.metadata.labels).toMatchObject({ cpumanager: 'true', 'kubevirt.io/cpumanager': 'true' });
});

it('leaves it to others to tell of processors where it cannot be seen', () => {
  const labels = { cpumanager: 'true', 'kubevirt.io/cpumanager': 'true' };

  const plan = planNodePatch(facts({ node: node({ labels }), hasCpuManager: undefined }));

  expect(Object.keys(plan.metadata.metadata.labels)).not.toContain('cpumanager');
  expect(Object.keys(plan.metadata.metadata.labels)).not.toContain('kubevirt.io/cpumanager');
});

it('offers devices that guests may have, and takes back what is gone', () => {
  const amounts = { ...DEVICES, 'vendor.example/gpu': '2', 'vendor.example/card': '1' };
  const known = node({}, { capacity: amounts, allocatable: amounts });
  const hostDevices = { 'vendor.example/gpu': 1, 'vendor.example/card': 0 };

  expect(planNodePatch(facts({ node: known, hostDevices })).status?.status.capacity).toEqual({
    'vendor.example/gpu': '1',
    'vendor.example/card': '0',
  });
});

describe('closingPatch', () => {
  it('keeps new guests off', () => {
    expect(closingPatch()).toEqual({ metadata: { labels: { 'kubevirt.io/schedulable': 'false' }, annotations: {} } });
  });
});

function facts(change: Partial<NodePatchFacts> = {}): NodePatchFacts {
  const known = { abilities: abilities(true), networkDevices: ['tun'], keeper: 'handler', annotations: {} } as const;
  const manager = { hasCpuManager: false, hostDevices: {}, areAbilitiesComplete: true };
  return { node: node(), ...known, ...manager, now: NOW, ...change };
}

function node(metadata: Partial<HandledNode['metadata']> = {}, status: HandledNode['status'] = {}): HandledNode {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', ...metadata }, status };
}

function abilities(isUsable: boolean): NodeAbilities {
  return {
    drivers: [{ name: 'qemu-kvm', device: 'kvm', isUsable }],
    cpuModels: [],
    cpuFeatures: [],
    machineTypes: isUsable ? ['q35'] : [],
    traits: [],
  };
}
