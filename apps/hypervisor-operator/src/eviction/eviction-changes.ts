import { isConditionTrue, type ObjectChange } from '@smalt/controller-runtime';
import { HypervisorConditionType, type Eviction, type Hypervisor } from '@smalt/fleet-api';

import { hostIdentity } from '../hosts/host-identity.ts';

/** Whether somebody else changed an eviction: what we write ourselves is no reason to look. */
export function isEvictionWorthALook({ old, current }: ObjectChange<Eviction>): boolean {
  if (old === undefined || current === undefined) return true;
  const { metadata: before } = old;
  const { metadata: now } = current;
  return (
    before.uid !== now.uid ||
    before.generation !== now.generation ||
    before.annotations !== now.annotations ||
    before.finalizers !== now.finalizers ||
    before.deletionTimestamp !== now.deletionTimestamp
  );
}

/** Whether a hypervisor changed in a way that its evictions go by. */
export function isHypervisorWorthALook({ old, current }: ObjectChange<Hypervisor>): boolean {
  return JSON.stringify(old && factsOf(old)) !== JSON.stringify(current && factsOf(current));
}

function factsOf(hypervisor: Hypervisor): readonly unknown[] {
  const isDisabled = isConditionTrue(hypervisor.status?.conditions, HypervisorConditionType.hypervisorDisabled);
  return [hypervisor.metadata.uid, hypervisor.spec?.maintenance, hostIdentity(hypervisor), isDisabled];
}
