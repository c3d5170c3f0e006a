import { HypervisorConditionReason, HypervisorConditionType, MaintenanceMode, type Hypervisor } from '@smalt/fleet-api';
import type { Condition } from '@smalt/kubernetes';

import { conditionOf, isConditionTrue } from './condition-of.ts';
import { isKeptEmpty } from './is-kept-empty.ts';
import { readinessByHealth } from './readiness-by-health.ts';
import { notReady, sentence, type Readiness, type ReadinessFacts, type ReadinessSettings } from './readiness.ts';

const { Ready: Reason, HypervisorDisabled: DisabledReason } = HypervisorConditionReason;

/** Says whether a hypervisor can be used, and if not, the most important reason why. */
export function readinessOf(facts: ReadinessFacts, settings: ReadinessSettings): Readiness {
  const { hypervisor } = facts;
  return (
    endOfLife(hypervisor) ??
    onboardingUnderWay(hypervisor) ??
    maintenance(hypervisor) ??
    onboardingUnfinished(hypervisor) ??
    outOfUse(hypervisor) ??
    readinessByHealth(facts, settings)
  );
}

function endOfLife(hypervisor: Hypervisor): Readiness | undefined {
  if (isConditionTrue(hypervisor, HypervisorConditionType.offboarded)) {
    return notReady(Reason.offboarded, 'Hypervisor has been offboarded');
  }
  if (isConditionTrue(hypervisor, HypervisorConditionType.terminating)) {
    return notReady(Reason.terminating, 'Hypervisor is terminating');
  }
  return undefined;
}

function onboardingUnderWay(hypervisor: Hypervisor): Readiness | undefined {
  const onboarding = conditionOf(hypervisor, HypervisorConditionType.onboarding);
  if (onboarding?.status !== 'True') return undefined;
  return notReady(Reason.onboarding, `Onboarding in progress: ${onboarding.message}`);
}

function maintenance(hypervisor: Hypervisor): Readiness | undefined {
  if (!isKeptEmpty(hypervisor)) return undefined;
  const failure = failureToDisable(hypervisor);
  if (failure !== undefined) return failure;
  const evicting = conditionOf(hypervisor, HypervisorConditionType.evicting);
  const disabled = conditionOf(hypervisor, HypervisorConditionType.hypervisorDisabled);
  if (evicting?.status === 'True') {
    const isDisabled = disabled?.status === 'True';
    return notReady(Reason.evicting, `Hypervisor is ${isDisabled ? 'disabled and' : 'not disabled yet, but'} evicting`);
  }
  if (evicting?.status !== 'False') return notReady(Reason.maintenance, 'Hypervisor is in maintenance mode');
  if (evicting.reason === HypervisorConditionReason.Evicting.failed) {
    return { ...notReady(Reason.maintenance, failedEvictionMessage(hypervisor, evicting)), isWarning: true };
  }
  // An enabled one may get instances at any moment.
  if (disabled?.status === 'False') return notReady(Reason.maintenance, 'Hypervisor is in maintenance mode');
  return notReady(Reason.evicted, 'Hypervisor is disabled and evicted');
}

function failureToDisable(hypervisor: Hypervisor): Readiness | undefined {
  const disabled = conditionOf(hypervisor, HypervisorConditionType.hypervisorDisabled);
  // Nobody disables a host in an event of high availability: it is lost anyway.
  if (disabled === undefined || hypervisor.spec?.maintenance === MaintenanceMode.ha) return undefined;
  if (disabled.status === 'True' || disabled.reason === DisabledReason.succeeded) return undefined;
  const message = `Hypervisor is in maintenance mode, but could not be disabled: ${disabled.message}`;
  return { ...notReady(Reason.maintenance, message), isWarning: true };
}

function failedEvictionMessage({ metadata, spec }: Hypervisor, { message }: Condition): string {
  const isOwn = (spec?.maintenance ?? MaintenanceMode.unset) !== MaintenanceMode.unset;
  // The one of maintenance has the name of the hypervisor; one that somebody made may have any.
  const [eviction, command] = isOwn
    ? [`the eviction ${metadata.name}`, `kubectl describe eviction ${metadata.name}`]
    : ['an eviction of it', 'kubectl describe evictions'];
  return `Hypervisor is in maintenance mode, but ${eviction} failed: ${sentence(message)} See "${command}" for the instances that are left`;
}

function onboardingUnfinished(hypervisor: Hypervisor): Readiness | undefined {
  const onboarding = conditionOf(hypervisor, HypervisorConditionType.onboarding);
  const { succeeded, aborted } = HypervisorConditionReason.Onboarding;
  switch (onboarding?.reason) {
    case undefined:
      return notReady(Reason.onboarding, `Onboarding not started${whyNotStarted(hypervisor)}`);
    case succeeded:
      return undefined;
    case aborted:
      return { ...notReady(Reason.onboarding, 'Onboarding was aborted'), isWarning: true };
    default:
      return notReady(Reason.onboarding, 'Onboarding not yet completed');
  }
}

/** Whether the compute system gives it no work, or does not know it, though nobody asked for that. */
function outOfUse(hypervisor: Hypervisor): Readiness | undefined {
  const disabled = conditionOf(hypervisor, HypervisorConditionType.hypervisorDisabled);
  if (disabled === undefined || disabled.status === 'False') return undefined;
  const { reason, message } = disabled;
  if (reason === DisabledReason.notRegistered) return { ...notReady(Reason.notRegistered, message), isWarning: true };
  return { ...notReady(Reason.disabled, message), isWarning: reason === DisabledReason.failed };
}

function whyNotStarted({ spec, status }: Hypervisor): string {
  if (spec?.lifecycleEnabled !== true) return ': lifecycle management is disabled';
  if ((status?.hypervisorId ?? '') !== '' && (status?.serviceId ?? '') !== '') return '';
  return ': waiting for nova-compute to register the hypervisor in Nova (HypervisorID/ServiceID not yet available)';
}
