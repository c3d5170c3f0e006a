import type { Node } from '@smalt/placement';
import { WellKnownName } from '@smalt/vm-api';

import { judgeHeartbeat, type Listening, type NodeHealth } from './judge-heartbeat.ts';

/** How often nodes are looked at though nothing is heard of them. */
const RECHECK_MS = 60_000;

export interface NodeDecision {
  readonly health: NodeHealth;
  /** Labels to set on the node. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly event?: { readonly type: 'Warning'; readonly reason: string; readonly message: string };
  readonly requeueAfterMs: number;
}

/** Keeps new instances off a node whose handler is silent. What runs there is left alone: see `judgeLoss`. */
export function decideNode(node: Node, listening: Listening): NodeDecision {
  const health = judgeHeartbeat(node, listening);
  const isOpen = node.metadata.labels?.[WellKnownName.schedulableNodeLabel] === 'true';
  if (health.kind === 'alive') return { health, requeueAfterMs: Math.min(RECHECK_MS, health.silentInMs) };
  if (!isOpen) return { health, requeueAfterMs: RECHECK_MS };
  return {
    health,
    labels: { [WellKnownName.schedulableNodeLabel]: 'false' },
    event: {
      type: 'Warning',
      reason: 'NodeUnresponsive',
      message: 'virt-handler is not responsive, marking node as unresponsive',
    },
    requeueAfterMs: RECHECK_MS,
  };
}
