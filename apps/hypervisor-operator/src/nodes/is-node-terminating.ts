import { isConditionTrue } from '@smalt/controller-runtime';
import { WellKnownName } from '@smalt/fleet-api';

import type { ClusterNode } from './cluster-node.ts';

/** Whether the machine of a node is about to go away. */
export function isNodeTerminating({ metadata, status }: ClusterNode): boolean {
  return (
    metadata.deletionTimestamp !== undefined ||
    isConditionTrue(status?.conditions, WellKnownName.terminatingNodeCondition)
  );
}
