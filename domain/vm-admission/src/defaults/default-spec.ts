import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';
import { defaultArchitecture } from './default-architecture.ts';
import { defaultCpuTopology } from './default-cpu-topology.ts';
import { defaultEvictionStrategy } from './default-eviction-strategy.ts';
import { defaultGuestMemory } from './default-guest-memory.ts';
import { defaultHypervisor } from './default-hypervisor.ts';
import { defaultMachineType } from './default-machine-type.ts';
import { defaultNetwork } from './default-network.ts';
import { defaultPullPolicies } from './default-pull-policies.ts';
import { defaultResourceRequests } from './default-resource-requests.ts';
import type { SpecStep } from './default-step.ts';
import { defaultVolumeDisks } from './default-volume-disks.ts';

const STEPS: readonly SpecStep[] = [
  defaultArchitecture,
  defaultHypervisor,
  defaultMachineType,
  defaultResourceRequests,
  defaultGuestMemory,
  defaultCpuTopology,
  defaultPullPolicies,
  defaultEvictionStrategy,
  defaultNetwork,
  defaultVolumeDisks,
];

/** The part of defaulting that templates are judged with too; nothing in it is random. */
export function defaultSpec(spec: VirtualMachineInstanceSpec, settings: ClusterSettings): VirtualMachineInstanceSpec {
  return STEPS.reduce((filled, step) => step(filled, settings), spec);
}
