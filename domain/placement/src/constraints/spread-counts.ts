import type { TopologySpreadConstraint } from '@smalt/vm-api';

import type { Cluster } from '../cluster/cluster.ts';
import type { NodeEntry } from '../cluster/node-entry.ts';
import { podKey, type Pod } from '../pod.ts';
import { findUntoleratedTaint } from './find-untolerated-taint.ts';
import { labelOf, matchesNode } from './match-node-selector.ts';
import { matchesPod, readSpreadMatcher } from './pod-term.ts';

/** How many pods each place has that a constraint counts. */
export interface SpreadCounts {
  readonly constraint: TopologySpreadConstraint;
  /** Only places that the pod could go to. */
  readonly counts: ReadonlyMap<string, number>;
  /** Whether the pod itself will be counted. */
  readonly countsItself: boolean;
}

/** Counts for all constraints of one kind; a node counts only when it has the labels of all of them. */
export function countSpread(pod: Pod, cluster: Cluster, whenUnsatisfiable: string): readonly SpreadCounts[] {
  const all = pod.spec.topologySpreadConstraints ?? [];
  const ours = all.filter((constraint) => constraint.whenUnsatisfiable === whenUnsatisfiable);
  return ours.map((constraint) => {
    const field = `pod ${podKey(pod)}: spec.topologySpreadConstraints[${all.indexOf(constraint)}].labelSelector`;
    const matcher = readSpreadMatcher(pod, constraint, field);
    const counts = new Map<string, number>();
    for (const entry of cluster.nodes) {
      const value = placeOf(entry, constraint, ours, pod);
      if (value !== undefined) counts.set(value, 0);
    }
    for (const { nodeName, isLeaving } of cluster.pods.find(matcher, cluster.namespaceLabels)) {
      const entry = isLeaving ? undefined : cluster.node(nodeName);
      const value = entry === undefined ? undefined : placeOf(entry, constraint, ours, pod);
      if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const { namespace = '', labels = {} } = pod.metadata;
    return { constraint, counts, countsItself: matchesPod(matcher, namespace, labels, cluster.namespaceLabels) };
  });
}

function placeOf(
  { node, labels }: NodeEntry,
  constraint: TopologySpreadConstraint,
  ours: readonly TopologySpreadConstraint[],
  { spec }: Pod,
): string | undefined {
  if (ours.some(({ topologyKey }) => labelOf(labels, topologyKey) === undefined)) return undefined;
  if (constraint.nodeAffinityPolicy !== 'Ignore' && !matchesNode(spec, node)) return undefined;
  const isTainted = findUntoleratedTaint(node.spec?.taints, spec.tolerations, ['NoSchedule', 'NoExecute']);
  if (constraint.nodeTaintsPolicy === 'Honor' && isTainted !== undefined) return undefined;
  return labelOf(labels, constraint.topologyKey);
}
