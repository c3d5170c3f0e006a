import { findCondition, isConditionTrue } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType, MaintenanceMode, type Hypervisor } from '@smalt/fleet-api';

import { hostIdentity } from '../hosts/host-identity.ts';
import { isEvicted } from '../frame/is-evicted.ts';
import type { StatedCondition } from '../frame/owned-status.ts';

const ZONE_LABEL = 'topology.kubernetes.io/zone';
const REASON = HypervisorConditionReason.AggregatesUpdated;
const ONBOARDING = HypervisorConditionReason.Onboarding;

/** Which aggregates a host shall be in, and what is stated once it is. */
export type WantedAggregates =
  /** Nothing may be said or done yet, or any more. */
  | { readonly kind: 'wait' }
  /** Whatever it is in, it stays there. */
  | { readonly kind: 'keep'; readonly condition: StatedCondition }
  | { readonly kind: 'apply'; readonly names: readonly string[]; readonly condition: StatedCondition };

/** Decides by where a host is in its life. The aggregates of its spec admit tenants, so they come after the tests. */
export function decideAggregates(hypervisor: Hypervisor, testAggregate: string): WantedAggregates {
  const { spec, status } = hypervisor;
  const conditions = status?.conditions;
  if (spec?.lifecycleEnabled !== true || hostIdentity(hypervisor) === undefined) return { kind: 'wait' };
  if (spec.maintenance === MaintenanceMode.termination) return whileTerminating(hypervisor);
  const onboarding = findCondition(conditions, HypervisorConditionType.onboarding);
  if (onboarding === undefined) return { kind: 'wait' };
  if (onboarding.status === 'True') {
    const { reason } = onboarding;
    if (reason === ONBOARDING.initial || reason === ONBOARDING.testing) return whileTested(hypervisor, testAggregate);
    const hasTraits = isConditionTrue(conditions, HypervisorConditionType.traitsUpdated);
    if (reason === ONBOARDING.handover && !hasTraits) return untilTraits(hypervisor, testAggregate);
  }
  if (onboarding.reason === ONBOARDING.aborted) return afterAbort(hypervisor, testAggregate);
  const stated = updated('True', REASON.succeeded, 'Aggregates from spec applied successfully');
  return { kind: 'apply', names: unique(spec.aggregates), condition: stated };
}

function whileTerminating(hypervisor: Hypervisor): WantedAggregates {
  if (isConditionTrue(hypervisor.status?.conditions, HypervisorConditionType.offboarded)) return { kind: 'wait' };
  // An eviction that failed is over as well, but tenants still have instances here.
  if (isEvicted(hypervisor)) {
    const stated = updated('False', REASON.terminating, 'Aggregates cleared due to termination after eviction');
    return { kind: 'apply', names: [], condition: stated };
  }
  const message = 'Aggregates unchanged while terminating and eviction in progress';
  return { kind: 'keep', condition: updated('False', REASON.evictionInProgress, message) };
}

function whileTested(hypervisor: Hypervisor, testAggregate: string): WantedAggregates {
  const message = 'Test aggregate applied during onboarding instead of spec aggregates';
  return testAggregates(hypervisor, testAggregate, updated('False', REASON.testAggregates, message));
}

function untilTraits(hypervisor: Hypervisor, testAggregate: string): WantedAggregates {
  const message = 'Waiting for traits to be applied before switching to spec aggregates';
  return testAggregates(hypervisor, testAggregate, updated('False', REASON.waitingForTraits, message));
}

function afterAbort(hypervisor: Hypervisor, testAggregate: string): WantedAggregates {
  const message = 'Test aggregate applied instead of spec aggregates: onboarding was aborted';
  return testAggregates(hypervisor, testAggregate, updated('False', REASON.testAggregates, message));
}

function testAggregates({ metadata }: Hypervisor, testAggregate: string, condition: StatedCondition): WantedAggregates {
  const zone = metadata.labels?.[ZONE_LABEL] ?? '';
  if (zone !== '') return { kind: 'apply', names: unique([zone, testAggregate]), condition };
  return { kind: 'keep', condition: failedAggregates(`the hypervisor has no label ${ZONE_LABEL}: set it on its node`) };
}

/** What is stated when aggregates could not be made as wanted. */
export function failedAggregates(message: string): StatedCondition {
  return { ...updated('False', REASON.failed, `failed to apply aggregates: ${message}`), isWarning: true };
}

function updated(status: 'True' | 'False', reason: string, message: string): StatedCondition {
  return { type: HypervisorConditionType.aggregatesUpdated, status, reason, message };
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
