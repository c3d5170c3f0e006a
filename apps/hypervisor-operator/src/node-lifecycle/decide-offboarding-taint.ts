import { isConditionTrue } from '@smalt/controller-runtime';
import { HypervisorConditionType, MaintenanceMode, type Hypervisor } from '@smalt/fleet-api';

import type { ClusterNode, Taint } from '../nodes/cluster-node.ts';
import { offboardingTaint } from '../hypervisor/decide-agent-pods.ts';
import { isEvicted } from '../frame/is-evicted.ts';

/**
 * The taints that a node should have instead of those it has; undefined when they are right. The agents of the compute
 * system may go once the host is empty; as soon as it is not to be offboarded, or not empty, they are needed again.
 */
export function decideOffboardingTaint(node: ClusterNode, hypervisor: Hypervisor): readonly Taint[] | undefined {
  const taints = node.spec?.taints ?? [];
  const others = taints.filter((taint) => !isOffboardingTaint(taint));
  const isTainted = others.length < taints.length;
  const isWanted = wantsTaint(hypervisor, isTainted);
  if (isWanted === isTainted) return undefined;
  return isWanted ? [...taints, offboardingTaint] : others;
}

function wantsTaint(hypervisor: Hypervisor, isTainted: boolean): boolean {
  const { spec, status } = hypervisor;
  if (spec?.maintenance !== MaintenanceMode.termination) return false;
  // The compute system does not know the host any more: it is too late for agents.
  if (isConditionTrue(status?.conditions, HypervisorConditionType.offboarded)) return isTainted;
  return spec.lifecycleEnabled && isEvicted(hypervisor);
}

function isOffboardingTaint({ key, effect }: Taint): boolean {
  return key === offboardingTaint.key && effect === offboardingTaint.effect;
}
