import { HypervisorConditionType, MaintenanceMode, type Hypervisor } from '@smalt/fleet-api';

import { conditionOf, isConditionTrue } from './condition-of.ts';

/** Whether a hypervisor is out of use so that it can be empty: by maintenance, or by an eviction that somebody made. */
export function isKeptEmpty(hypervisor: Hypervisor): boolean {
  if ((hypervisor.spec?.maintenance ?? MaintenanceMode.unset) !== MaintenanceMode.unset) return true;
  const isEvictionKnown = conditionOf(hypervisor, HypervisorConditionType.evicting) !== undefined;
  // One that is enabled is in use again, though its last eviction is not quite gone.
  return isEvictionKnown && isConditionTrue(hypervisor, HypervisorConditionType.hypervisorDisabled);
}
