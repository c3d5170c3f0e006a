import { findCondition, isConditionTrue } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType, MaintenanceMode, type Hypervisor } from '@smalt/fleet-api';

import type { ClusterNode } from '../nodes/cluster-node.ts';
import { isEvicted } from '../frame/is-evicted.ts';
import { isNodeTerminating } from '../nodes/is-node-terminating.ts';
import type { StatedCondition, Statement } from '../frame/owned-status.ts';
import { offboardingTaint } from './decide-agent-pods.ts';

/** The conditions that say how a node is. */
export const ownedConditions: readonly HypervisorConditionType[] = [
  HypervisorConditionType.terminating,
  HypervisorConditionType.agentPodsEvicted,
];

const terminating: StatedCondition = {
  type: HypervisorConditionType.terminating,
  status: 'True',
  reason: HypervisorConditionReason.Terminating.terminating,
  message: 'Node is terminating',
};

/** Whether the agents of a host matter now: they are only told to go once it is empty, and stay gone then. */
export type AgentPodsQuestion = 'ask' | 'keep' | 'none';

/** Whether to look for agent pods. The taint comes first: before it nothing drives them out, or keeps new ones away. */
export function decideAgentPodsQuestion(hypervisor: Hypervisor, node: ClusterNode | undefined): AgentPodsQuestion {
  if (hypervisor.spec?.maintenance !== MaintenanceMode.termination) return 'none';
  if (isConditionTrue(hypervisor.status?.conditions, HypervisorConditionType.offboarded)) return 'keep';
  if (!isEvicted(hypervisor)) return 'none';
  return node === undefined || hasOffboardingTaint(node) ? 'ask' : 'none';
}

function hasOffboardingTaint({ spec }: ClusterNode): boolean {
  return (spec?.taints ?? []).some(({ key, effect }) => {
    return key === offboardingTaint.key && effect === offboardingTaint.effect;
  });
}

/** All that is stated about a hypervisor because of its node. */
export function nodeStatement(
  hypervisor: Hypervisor,
  node: ClusterNode | undefined,
  agentPods: StatedCondition | undefined,
): Statement {
  const internalIp = node && decideInternalIp(node, hypervisor.status?.internalIp);
  return {
    fields: internalIp === undefined ? {} : { internalIp },
    conditions: [
      ...(node !== undefined && isNodeTerminating(node) ? [terminating] : []),
      ...(agentPods === undefined ? [] : [agentPods]),
    ],
  };
}

/** The condition as it stands, to be stated again. */
export function currentAgentPods({ status }: Hypervisor): StatedCondition | undefined {
  const current = findCondition(status?.conditions, HypervisorConditionType.agentPodsEvicted);
  if (current === undefined) return undefined;
  return { type: current.type, status: current.status, reason: current.reason, message: current.message };
}

/** The address of the host: the one it has as long as that is right, so that two families do not take turns. */
export function decideInternalIp({ status }: ClusterNode, current: string | undefined): string | undefined {
  const addresses = (status?.addresses ?? []).flatMap(({ type, address }) => {
    return type === 'InternalIP' && address !== '' ? [address] : [];
  });
  if (current !== undefined && addresses.includes(current)) return current;
  // A node that is coming up may have none for a while; the last one is the best guess then.
  return addresses[0] ?? current;
}
