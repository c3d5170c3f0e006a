import { planIoThreads } from '../disks/plan-io-threads.ts';
import type { DomainInput } from '../domain-step.ts';
import { topologyOf } from '../shape/processor-topology.ts';
import { pinProcessors, type ProcessorPinning } from './pin-processors.ts';

/** Where the processors of the guest run, if they have processors of the host to themselves. */
export function pinningOf({ instance, context }: DomainInput): ProcessorPinning | undefined {
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
