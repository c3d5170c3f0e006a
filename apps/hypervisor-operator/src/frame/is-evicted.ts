import { findCondition } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType, type Hypervisor } from '@smalt/fleet-api';

/**
 * Whether everything has moved away. An eviction that failed is over too, but has left something behind; one that
 * succeeded counts only until the host is opened again.
 */
export function isEvicted({ status }: Hypervisor): boolean {
  const evicting = findCondition(status?.conditions, HypervisorConditionType.evicting);
  const isOver = evicting?.status === 'False' && evicting.reason === HypervisorConditionReason.Evicting.succeeded;
  return isOver && status?.evicted === true;
}
