import type { VirtualMachineInstance } from '@smalt/vm-api';

import { planIoThreads } from '../disks/plan-io-threads.ts';
import type { DomainContext } from '../domain-context.ts';
import { topologyOf } from '../shape/processor-topology.ts';
import { pinProcessors, type ProcessorPinning } from './pin-processors.ts';

/** What decides on which processors of a node the threads of a guest run. */
export interface PinningInput {
  readonly instance: VirtualMachineInstance;
  readonly context: Pick<DomainContext, 'dedicatedCpus' | 'node'>;
}

/** Where the processors of the guest run, if they have processors of the host to themselves. */
export function pinningOf({ instance, context }: PinningInput): ProcessorPinning | undefined {
  const { cpu, ioThreadsPolicy } = instance.spec.domain;
  if (cpu?.dedicatedCpuPlacement !== true) return undefined;
  return pinProcessors({
    topology: topologyOf(instance),
    cpus: context.dedicatedCpus ?? [],
    cells: context.node.cells,
    isolateEmulator: cpu.isolateEmulatorThread === true,
    ioThreads: ioThreadsPolicy === 'supplementalPool' ? planIoThreads(instance).count : 0,
  });
}
