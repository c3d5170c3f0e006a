import type { Hypervisor, HypervisorConditionType } from '@smalt/fleet-api';
import type { Condition } from '@smalt/kubernetes';

export function conditionOf({ status }: Hypervisor, type: HypervisorConditionType): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(hypervisor: Hypervisor, type: HypervisorConditionType): boolean {
  return conditionOf(hypervisor, type)?.status === 'True';
}
