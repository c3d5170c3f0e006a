import { HypervisorConditionReason, HypervisorConditionType, type Hypervisor } from '@smalt/fleet-api';

import { conditionOf, isConditionTrue } from './condition-of.ts';
import { isKeptEmpty } from './is-kept-empty.ts';
import { LifecycleState } from './lifecycle-state.ts';

const { onboarding: Onboarding, ready: ReadyType } = HypervisorConditionType;

/** Says in one word where a hypervisor is in its life. `isReady` is by its condition Ready where nothing newer is known. */
export function lifecycleStateOf(
  hypervisor: Hypervisor,
  isReady: boolean = isConditionTrue(hypervisor, ReadyType),
): LifecycleState {
  if (isConditionTrue(hypervisor, HypervisorConditionType.offboarded)) return LifecycleState.decommissioned;
  const onboarding = conditionOf(hypervisor, Onboarding);
  // Maintenance waits for the end of onboarding.
  if (onboarding?.status === 'True') return onboardingState(onboarding.reason);
  if (isKeptEmpty(hypervisor)) {
    const isEvicting = isConditionTrue(hypervisor, HypervisorConditionType.evicting);
    return isEvicting ? LifecycleState.evicting : LifecycleState.maintenance;
  }
  if (onboarding === undefined) return LifecycleState.initial;
  if (onboarding.reason !== HypervisorConditionReason.Onboarding.succeeded) return onboardingState(onboarding.reason);
  return isReady && isEnabled(hypervisor) ? LifecycleState.active : LifecycleState.ready;
}

function onboardingState(reason: string): LifecycleState {
  const { testing, handover, aborted } = HypervisorConditionReason.Onboarding;
  switch (reason) {
    case testing:
      return LifecycleState.testing;
    case handover:
      return LifecycleState.ready;
    case aborted:
      return LifecycleState.aborted;
    // Also what other programs may call a step of it.
    default:
      return LifecycleState.onboarding;
  }
}

// The condition is missing until the compute service has been looked at.
function isEnabled(hypervisor: Hypervisor): boolean {
  return conditionOf(hypervisor, HypervisorConditionType.hypervisorDisabled)?.status === 'False';
}
