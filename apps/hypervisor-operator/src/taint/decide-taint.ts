import { findCondition } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType, type Hypervisor } from '@smalt/fleet-api';

import type { StatedCondition } from '../frame/owned-status.ts';
import type { TaintSettings } from './taint-settings.ts';

const REASON = HypervisorConditionReason.Tainted;

/** What to state about changes by hand; undefined when this generation has been judged already. */
export function decideTaint(
  { metadata, status }: Hypervisor,
  { manualManagerPrefix }: Pick<TaintSettings, 'manualManagerPrefix'>,
): StatedCondition | undefined {
  const type = HypervisorConditionType.tainted;
  const { generation: observedGeneration, managedFields = [] } = metadata;
  const judged = findCondition(status?.conditions, type);
  if (judged !== undefined && judged.observedGeneration === observedGeneration) return undefined;
  const isByHand = managedFields.some(({ manager }) => manager?.startsWith(manualManagerPrefix));
  return isByHand
    ? { type, status: 'True', reason: REASON.kubectl, message: '⚠️', observedGeneration, isWarning: true }
    : { type, status: 'False', reason: REASON.noKubectl, message: '🟢', observedGeneration };
}
