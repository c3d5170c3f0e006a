import type { KubernetesObject } from '@smalt/kubernetes';
import type { VirtualMachine, VirtualMachineInstance, VirtualMachinePool } from '@smalt/vm-api';

/** What is known of a pool. */
export interface PoolFacts {
  readonly pool: VirtualMachinePool;
  /** The machines that the pool owns, those that are being deleted too. */
  readonly machines: readonly VirtualMachine[];
  /** Whether there is a machine of that name in the namespace, whosoever it is. */
  readonly isTaken: (name: string) => boolean;
  /** The instance of a machine. */
  readonly instanceOf: (machine: VirtualMachine) => VirtualMachineInstance | undefined;
  /** The claims that a machine uses. */
  readonly claimsOf: (machine: VirtualMachine) => readonly Pick<KubernetesObject, 'metadata'>[];
  readonly problem?: { readonly reason: string; readonly message: string };
  readonly now: number;
  /** From 0 to 1. */
  readonly random: () => number;
}
