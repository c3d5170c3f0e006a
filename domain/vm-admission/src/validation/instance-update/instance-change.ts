import type { VirtualMachineInstance } from '@smalt/vm-api';

/** An instance before and after a change. */
export interface InstanceChange {
  readonly instance: VirtualMachineInstance;
  readonly old: VirtualMachineInstance;
}
