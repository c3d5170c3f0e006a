import type { Condition } from '@smalt/kubernetes';

import type { ClusterNode } from './cluster-node.ts';

/**
 * A node as the operator keeps it: without its images and volumes, which are most of it, and without the heartbeats of
 * its conditions, which change all the time.
 */
export function slimNode({ apiVersion, kind, metadata, spec, status }: ClusterNode): ClusterNode {
  const { managedFields: _, ...kept } = metadata;
  const { taints } = spec ?? {};
  const { addresses, conditions } = status ?? {};
  return {
    apiVersion,
    kind,
    metadata: kept,
    spec: taints === undefined ? {} : { taints },
    status: {
      ...(addresses !== undefined && { addresses }),
      ...(conditions !== undefined && { conditions: conditions.map(withoutHeartbeat) }),
    },
  };
}

function withoutHeartbeat({ type, status, reason, message, lastTransitionTime }: Condition): Condition {
  return { type, status, reason, message, lastTransitionTime };
}
