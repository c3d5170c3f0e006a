import { shareStructure } from '@smalt/controller-runtime';
import type { Hypervisor, HypervisorStatus } from '@smalt/fleet-api';
import { describe, expect, it } from 'vitest';

import { isWorthALook, slimHypervisor } from './slim-hypervisor.ts';

describe('slimHypervisor', () => {
  it('keeps what controllers and metrics read, and of managed fields who manages', () => {
    const hypervisor = told({
      numInstances: 2,
      lifecycleState: 'Active',
      capabilities: { cpuArch: 'x86_64', cpus: '64', memory: '1Ti' },
      operatingSystem: { prettyVersion: 'Linux 12', hardwareModel: 'Model 1', kernelRelease: '6.1' },
      instances: [{ id: 'a', name: 'web', active: true }],
      capacity: { cpu: 64 },
    });

    expect(slimHypervisor(hypervisor)).toEqual({
      ...hypervisor,
      metadata: { name: 'node-1', managedFields: [{ manager: 'kubectl-edit' }] },
      status: {
        numInstances: 2,
        lifecycleState: 'Active',
        capabilities: { cpus: '64' },
        operatingSystem: { prettyVersion: 'Linux 12', hardwareModel: 'Model 1' },
      },
    });
  });

  it('adds nothing to a hypervisor of which little is known', () => {
    const { status: _, ...unknown } = told({ numInstances: 0 });

    expect(slimHypervisor(told({ numInstances: 0 })).status).toEqual({ numInstances: 0 });
    expect(slimHypervisor(told({ numInstances: 0, capabilities: {} })).status?.capabilities).toEqual({});
    expect(slimHypervisor(unknown)).not.toHaveProperty('status');
  });
});

describe('isWorthALook', () => {
  it.each<{ readonly what: string; readonly change: Partial<HypervisorStatus>; readonly isWorth: boolean }>([
    { what: 'the memory in use', change: { allocation: { memory: '4Gi' } }, isWorth: false },
    { what: 'the release of the kernel', change: { operatingSystem: { kernelRelease: '6.2' } }, isWorth: false },
    { what: 'a condition', change: { conditions: [] }, isWorth: true },
  ])('says $isWorth when $what changes', ({ change, isWorth }) => {
    const before = { numInstances: 1, operatingSystem: { kernelRelease: '6.1' } };
    const old = slimHypervisor(told(before));

    const current = shareStructure(old, slimHypervisor(told({ ...before, ...change })));

    expect(isWorthALook({ key: 'node-1', old, current })).toBe(isWorth);
  });
});

function told(status: HypervisorStatus): Hypervisor {
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Hypervisor',
    metadata: { name: 'node-1', managedFields: [{ manager: 'kubectl-edit', operation: 'Update' }] },
    status,
  };
}
