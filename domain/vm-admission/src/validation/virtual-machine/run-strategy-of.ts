import { RunStrategy, type VirtualMachine } from '@smalt/vm-api';

/** The strategy that a virtual machine runs by, from whichever of the two fields it uses. */
export function runStrategyOf({ spec }: Pick<VirtualMachine, 'spec'>): string {
  if (spec.running !== undefined) return spec.running ? RunStrategy.always : RunStrategy.halted;
  return spec.runStrategy ?? RunStrategy.halted;
}
