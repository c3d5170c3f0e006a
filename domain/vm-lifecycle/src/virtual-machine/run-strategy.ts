import { RunStrategy, type VirtualMachineSpec } from '@smalt/vm-api';

/** The run strategy of a virtual machine; undefined when it names none that exists. */
export function runStrategyOf({ running, runStrategy }: VirtualMachineSpec): RunStrategy | undefined {
  if (running !== undefined) return running ? RunStrategy.always : RunStrategy.halted;
  return Object.values(RunStrategy).find((known) => known === runStrategy);
}
