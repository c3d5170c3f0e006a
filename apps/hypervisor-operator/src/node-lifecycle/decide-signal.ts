import { findCondition, isConditionTrue } from '@smalt/controller-runtime';
import {
  HypervisorConditionReason,
  HypervisorConditionType,
  type Hypervisor,
  type HypervisorSpec,
} from '@smalt/fleet-api';
import type { Condition } from '@smalt/kubernetes';

import type { ClusterNode } from '../nodes/cluster-node.ts';
import { isNodeTerminating } from '../nodes/is-node-terminating.ts';
import type { NodeLifecycleSettings } from './node-lifecycle-settings.ts';

const GARDENER_PREFIXES = ['worker.gardener.cloud/', 'worker.garden.sapcloud.io/'];

/** What is signalled to those who make and remove machines. */
export interface Signal {
  /** Whether the node must not be drained yet. */
  readonly isHeld: boolean;
  /** Whether the node is ready for others: its onboarding is over, one way or the other. */
  readonly isOnboarded: boolean;
}

/** Whether somebody waits for signals about a node. */
export function needsSignal({ metadata }: ClusterNode, { when }: Pick<NodeLifecycleSettings, 'when'>): boolean {
  if (when !== 'auto') return when === 'always';
  return Object.keys(metadata.labels ?? {}).some((key) => GARDENER_PREFIXES.some((prefix) => key.startsWith(prefix)));
}

export function decideSignal(node: ClusterNode, { spec, status }: Hypervisor): Signal {
  const onboarding = findCondition(status?.conditions, HypervisorConditionType.onboarding);
  const isOnboarded = onboarding?.status === 'False';
  if (!isConditionTrue(status?.conditions, HypervisorConditionType.offboarded)) return { isHeld: true, isOnboarded };
  const haEnabled = findCondition(status?.conditions, HypervisorConditionType.haEnabled);
  const isWatched = isOnboarded && mayBeWatched(spec, onboarding, haEnabled);
  return { isHeld: isNodeTerminating(node) && isWatched, isOnboarded };
}

/** Whether high availability may take the end of the host for a failure. It says when it has let go of it. */
function mayBeWatched(
  spec: HypervisorSpec | undefined,
  onboarding: Condition,
  haEnabled: Condition | undefined,
): boolean {
  if (haEnabled !== undefined) return haEnabled.status !== 'False';
  // Without a word of it, only a host that was onboarded with high availability can be under its watch.
  return spec?.highAvailability === true && onboarding.reason === HypervisorConditionReason.Onboarding.succeeded;
}
