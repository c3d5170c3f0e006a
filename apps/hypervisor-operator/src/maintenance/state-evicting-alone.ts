import { withCondition } from '@smalt/controller-runtime';
import { HypervisorConditionType, hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import { isConflict, isNotFound } from '@smalt/kube';
import type { Condition } from '@smalt/kubernetes';

import type { OperatorContext } from '../operator-context.ts';
import type { EvictionDecision } from './decide-eviction.ts';

/**
 * States what is known of evictions and nothing else, while the condition HypervisorDisabled is written by another
 * program. To apply a statement without that condition would delete it, and one with it would undo what the other one has
 * just written; a patch of the version that was seen does neither.
 */
export async function stateEvictingAlone(
  { client, clock }: Pick<OperatorContext, 'client' | 'clock'>,
  { owner, hypervisor }: { readonly owner: string; readonly hypervisor: Hypervisor },
  { condition, isEvicted }: EvictionDecision,
  signal: AbortSignal,
): Promise<void> {
  const { name, resourceVersion } = hypervisor.metadata;
  const old = hypervisor.status?.conditions ?? [];
  const conditions = withEvicting(old, condition, new Date(clock.now()));
  if (conditions === old && (hypervisor.status?.evicted ?? false) === isEvicted) return;
  const fields = { metadata: { resourceVersion }, status: { conditions, evicted: isEvicted } };
  const options = { subresource: 'status', fieldManager: owner, signal };
  try {
    await client.resource(hypervisorKind).patch(name, 'merge', fields, options);
  } catch (error) {
    // Somebody was quicker: the change brings the hypervisor here again.
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}

function withEvicting(
  old: readonly Condition[],
  stated: EvictionDecision['condition'],
  now: Date,
): readonly Condition[] {
  if (stated === undefined) {
    const others = old.filter(({ type }) => type !== HypervisorConditionType.evicting);
    return others.length === old.length ? old : others;
  }
  const { isWarning: _, observedGeneration: generation, ...statement } = stated;
  return withCondition(old, statement, { generation, now });
}
