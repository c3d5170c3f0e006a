import { HypervisorConditionReason, HypervisorConditionType, WellKnownName } from '@smalt/fleet-api';

import type { Taint } from '../nodes/cluster-node.ts';
import type { StatedCondition } from '../frame/owned-status.ts';
import type { Pod } from './pod.ts';
import { toleratesTaint } from './tolerates-taint.ts';

const REASON = HypervisorConditionReason.AgentPodsEvicted;

/** What drives the agents of the compute system off a host that is being offboarded. */
export const offboardingTaint: Taint = { key: WellKnownName.offboardingTaint, effect: 'NoExecute' };

/** What to say about the pods that run on a host which should be free of agents. */
export function decideAgentPods(pods: readonly Pod[]): StatedCondition {
  const type = HypervisorConditionType.agentPodsEvicted;
  const names = pods
    .filter(isInTheWay)
    .map(({ metadata: { namespace = '', name } }) => `${namespace}/${name}`)
    .toSorted();
  if (names.length === 0) {
    return { type, status: 'True', reason: REASON.noAgentPods, message: 'No agent pods are running on this node' };
  }
  const message = `${names.length} agent pod(s) still running on node: ${names.join(', ')}`;
  return { type, status: 'False', reason: REASON.agentPodsRunning, message };
}

/** A pod that is being deleted still runs; one that only tolerates the taint for a while will have to go. */
function isInTheWay({ spec, status }: Pod): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
  const lasting = (spec?.tolerations ?? []).filter(({ tolerationSeconds }) => tolerationSeconds === undefined);
  return !lasting.some((toleration) => toleratesTaint(toleration, offboardingTaint));
}
