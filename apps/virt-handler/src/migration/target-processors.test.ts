import type { VirtualMachineInstance } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { readProcessors, tellProcessors } from './target-processors.ts';

const cells = [{ id: 0, cpus: [0, 1].map((id) => ({ id, siblings: [id] })) }];

it('tells the source which processors were set aside, and where they are', () => {
  const told = tellProcessors(instance({ dedicatedCpuPlacement: true }), { processors: [1] }, cells);

  expect(told.targetCPUSet).toEqual([1]);
  expect(readProcessors(told)).toEqual({ dedicatedCpus: [1], node: { cells } });
});

it('tells nothing of a guest that shares its processors', () => {
  expect(tellProcessors(instance({}), { processors: undefined }, cells)).toEqual({});
});

it.each([undefined, []])('does not get ready with %j for a guest that needs one', (processors) => {
  const own = instance({ dedicatedCpuPlacement: true });

  expect(() => tellProcessors(own, { processors }, cells)).toThrow(
    '1 processors of its own are needed and its pod has 0; is the CPU manager of the node static?',
  );
});

it.each([
  {},
  { targetCPUSet: [1] },
  { targetCPUSet: [1], targetNodeTopology: '{' },
  { targetCPUSet: [1], targetNodeTopology: '{}' },
  { targetCPUSet: [1], targetNodeTopology: '{"cells":[{"id":"0"}]}' },
  { targetCPUSet: [1], targetNodeTopology: '{"cells":[{"id":0,"cpus":[{"id":0}]}]}' },
  { targetNodeTopology: JSON.stringify({ cells }) },
])('does not go by %j', (told) => {
  expect(() => readProcessors(told)).toThrow(expect.objectContaining({ code: 'unavailable' }));
});

function instance(cpu: NonNullable<VirtualMachineInstance['spec']['domain']['cpu']>): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm' },
    spec: { domain: { devices: {}, cpu } },
  };
}
