import { describe, expect, it } from 'vitest';

import { architectureName, nodeStatus, type NodeFacts } from './node-object.ts';
import { nodeQuantities } from './node-resources.ts';

const MIB = 1024 * 1024;

describe('nodeQuantities', () => {
  it('keeps memory and processors for the machine, and what huge pages take', () => {
    const resources = { processors: 4, memoryBytes: 8192 * MIB, storageBytes: 1e9, hugepages: new Map([[2048, 512]]) };

    const { capacity, allocatable } = nodeQuantities(resources, {
      maxPods: 500,
      reservedMemoryMiB: 256,
      reservedProcessorCount: 1,
    });

    expect(capacity).toEqual({
      cpu: '4',
      memory: `${8192 * 1024}Ki`,
      pods: '500',
      'ephemeral-storage': '1000000000',
      'hugepages-2Mi': `${1024 * 1024}Ki`,
    });
    expect(allocatable).toEqual({ ...capacity, cpu: '3', memory: `${(8192 - 1024 - 256) * 1024}Ki` });
  });

  it('never promises less than nothing', () => {
    const resources = { processors: 1, memoryBytes: MIB, storageBytes: 0, hugepages: new Map([[1_048_576, 1]]) };

    const { capacity, allocatable } = nodeQuantities(resources, {
      maxPods: 1,
      reservedMemoryMiB: 256,
      reservedProcessorCount: 2,
    });

    expect(allocatable).toMatchObject({ memory: '0Ki', cpu: '0' });
    expect(capacity['hugepages-1Gi']).toBe('1048576Ki');
  });
});

describe('nodeStatus', () => {
  it('keeps the time since which a node is ready', () => {
    const before = [{ type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' }];
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, status: { conditions: before } };

    const { conditions } = nodeStatus(facts(), node, new Date('2026-01-01T00:00:00Z'));

    expect(conditions).toContainEqual(
      expect.objectContaining({
        type: 'Ready',
        lastTransitionTime: '2020-01-01T00:00:00Z',
        lastHeartbeatTime: '2026-01-01T00:00:00Z',
      }),
    );
  });
});

it.each([
  { own: 'x64', name: 'amd64' },
  { own: 'arm64', name: 'arm64' },
])('calls $own $name', ({ own, name }) => {
  expect(architectureName(own)).toBe(name);
});

function facts(): NodeFacts {
  const names = { nodeName: 'n1', address: '10.0.0.1', architecture: 'amd64', kernelVersion: '6.1' };
  return { ...names, machineId: 'm', bootId: 'b', osImage: 'Debian', capacity: {}, allocatable: {} };
}
