import { findCondition, isConditionTrue } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType, MaintenanceMode, type Hypervisor } from '@smalt/fleet-api';

import { isEvicted } from '../frame/is-evicted.ts';
import type { StatedCondition } from '../frame/owned-status.ts';

const REASON = HypervisorConditionReason.Offboarded;
const BEGUN = 'Hypervisor is being offboarded, removing host from nova';

/** What is next on the way out of a host, as far as its object tells. */
export type OffboardingStep =
  /** It is not leaving, or has left. */
  | { readonly kind: 'none' }
  /** It was leaving and does so no longer. */
  | { readonly kind: 'take-back' }
  /** Something else has to happen first; the compute system is not asked. */
  | { readonly kind: 'wait'; readonly condition: StatedCondition }
  /** Everything is done that is done elsewhere: it may be removed from the compute system. */
  | { readonly kind: 'remove' };

/** Decides by the gates that a host passes one after the other on its way out. */
export function decideOffboarding(hypervisor: Hypervisor): OffboardingStep {
  const { spec, status } = hypervisor;
  const conditions = status?.conditions;
  const last = findCondition(conditions, HypervisorConditionType.offboarded);
  const none = { kind: last === undefined ? 'none' : 'take-back' } as const;
  // One that comes back has to leave anew some day.
  if (spec?.maintenance !== MaintenanceMode.termination) return none;
  if (last?.status === 'True') return { kind: 'none' };
  if (!spec.lifecycleEnabled) return none;
  const begun = { kind: 'wait', condition: offboarding() } as const;
  if (isConditionTrue(conditions, HypervisorConditionType.onboarding)) return begun;
  const evicting = findCondition(conditions, HypervisorConditionType.evicting);
  if (evicting?.status === 'False' && evicting.reason !== HypervisorConditionReason.Evicting.succeeded) {
    const message = `Hypervisor is being offboarded, but its eviction failed: ${evicting.message}`;
    return { kind: 'wait', condition: { ...offboarding(message), isWarning: true } };
  }
  const isRegistered = (status?.serviceId ?? '') !== '';
  if (isRegistered && !isEvicted(hypervisor)) return begun;
  const agentPods = findCondition(conditions, HypervisorConditionType.agentPodsEvicted);
  if (agentPods?.status === 'True') return { kind: 'remove' };
  return { kind: 'wait', condition: offboarding(waitForPods(agentPods?.message)) };
}

function waitForPods(message: string | undefined): string {
  if (message === undefined) return 'Waiting for agent pods (nova-compute, neutron) to be evicted from node';
  return `Waiting for agent pods to be evicted: ${message}`;
}

/** What stands in the way of removing a registered host, or undefined when nothing does. */
export function whatBlocksRemoval({ status }: Hypervisor, hostName: string, instances: number): string | undefined {
  if (instances > 0) {
    return `Hypervisor is being offboarded, but still has ${instances} assigned VMs, check with \`openstack server list --all-projects --host ${hostName}\``;
  }
  const names = (status?.aggregates ?? []).map(({ name }) => name);
  return names.length > 0 ? `Waiting for aggregates to be removed, current: [${names.join(' ')}]` : undefined;
}

/** What is stated while a host is on its way out. */
export function offboarding(message: string = BEGUN): StatedCondition {
  return { type: HypervisorConditionType.offboarded, status: 'False', reason: REASON.offboarding, message };
}

/** What is stated when a host is out. */
export function offboarded(): StatedCondition {
  const message = 'Offboarding successful';
  return { type: HypervisorConditionType.offboarded, status: 'True', reason: REASON.offboarded, message };
}
