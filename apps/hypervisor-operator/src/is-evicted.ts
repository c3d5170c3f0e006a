import { findCondition } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType, type Hypervisor } from '@smalt/fleet-api';

/** Whether everything has moved away. An eviction that failed is over too, but has left something behind. */
export function isEvicted({ status }: Hypervisor): boolean {
  const evicting = findCondition(status?.conditions, HypervisorConditionType.evicting);
  return evicting?.status === 'False' && evicting.reason === HypervisorConditionReason.Evicting.succeeded;
}
