import { Cluster } from './cluster/cluster.ts';
import type { NodeEntry } from './cluster/node-entry.ts';
import { claimConstraint, claimRefusal } from './constraints/claim-constraint.ts';
import type { Constraint } from './constraints/constraint.ts';
import { nodeConstraint } from './constraints/node-constraint.ts';
import { podAffinityConstraint } from './constraints/pod-affinity-constraint.ts';
import { readPodRules, type PodRules } from './constraints/read-pod-rules.ts';
import { resourceConstraint } from './constraints/resource-constraint.ts';
import { spreadConstraint } from './constraints/spread-constraint.ts';
import type { Node } from './node.ts';
import type { Pod } from './pod.ts';
import type { Amounts } from './resources/amounts.ts';
import { readRequests } from './resources/read-requests.ts';
import { nodeAffinityScore, taintScore } from './scores/node-score.ts';
import { podAffinityScore, spreadScore } from './scores/pod-score.ts';
import { balancedScore, leastAllocatedScore } from './scores/resource-score.ts';
import type { Score } from './scores/score.ts';

/** Where a pod goes, or why it can go nowhere. */
export type Placement =
  | { readonly kind: 'placed'; readonly nodeName: string }
  | {
      readonly kind: 'unschedulable';
      /** For the pod's condition, in the words of kube-scheduler. */
      readonly message: string;
      /** How many nodes cannot take it for each of the reasons. */
      readonly reasons: ReadonlyMap<string, number>;
    };

/** Chooses a node for a pod among nodes with pods on them. For more than one pod, keep a `Cluster` and use `placeIn`. */
export function placePod(pod: Pod, nodes: readonly Node[], pods: readonly Pod[]): Placement {
  const cluster = new Cluster();
  for (const node of nodes) cluster.setNode(node);
  for (const each of pods) cluster.setPod(each);
  return placeIn(cluster, pod);
}

/**
 * Chooses the node that suits a pod best; the same cluster gives the same node. Nothing is taken: tell the cluster by
 * `assume`, so that the next pod sees it.
 */
export function placeIn(cluster: Cluster, pod: Pod): Placement {
  const requests = readRequests(pod);
  const rules = readPodRules(pod);
  const { claims } = cluster;
  const refusal = claims && cluster.nodeCount > 0 ? claimRefusal(pod, claims) : undefined;
  if (refusal !== undefined) return unschedulable(cluster.nodeCount, [refusal]);
  const constraints = [
    nodeConstraint(pod),
    resourceConstraint(requests),
    ...(claims ? [claimConstraint(pod, claims)] : []),
    spreadConstraint(pod, cluster),
    podAffinityConstraint(pod, rules, cluster),
  ];
  const reasons = new Map<string, number>();
  const fitting: NodeEntry[] = [];
  for (const entry of cluster.nodes) {
    const objections = firstObjections(constraints, entry);
    if (objections.length === 0) fitting.push(entry);
    for (const reason of objections) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const best = chooseBest(fitting, weightedScores(pod, requests, rules, cluster));
  if (best !== undefined) return { kind: 'placed', nodeName: best };
  const parts = [...reasons].map(([reason, count]) => `${count} ${reason}`).toSorted();
  return unschedulable(cluster.nodeCount, parts, reasons);
}

function firstObjections(constraints: readonly Constraint[], entry: NodeEntry): readonly string[] {
  for (const constraint of constraints) {
    const objections = constraint(entry);
    if (objections.length > 0) return objections;
  }
  return [];
}

/** The weights are those of kube-scheduler. */
function weightedScores(
  pod: Pod,
  requests: Amounts,
  rules: PodRules,
  cluster: Cluster,
): readonly (readonly [Score, number])[] {
  return [
    [taintScore(pod), 3],
    [nodeAffinityScore(pod), 2],
    [spreadScore(pod, cluster), 2],
    [podAffinityScore(pod, rules, cluster), 2],
    [leastAllocatedScore(requests), 1],
    [balancedScore(requests), 1],
  ];
}

function chooseBest(entries: readonly NodeEntry[], scores: readonly (readonly [Score, number])[]): string | undefined {
  const sums = entries.map(() => 0);
  for (const [score, weight] of scores) {
    score(entries).forEach((value, index) => (sums[index] = (sums[index] ?? 0) + value * weight));
  }
  const ranked = entries.map((entry, index) => ({ entry, sum: sums[index] ?? 0 }));
  return ranked.reduce<{ entry: NodeEntry; sum: number } | undefined>(
    (best, each) => (best === undefined || isBetter(each, best) ? each : best),
    undefined,
  )?.entry.name;
}

interface Ranked {
  readonly entry: NodeEntry;
  readonly sum: number;
}

/** Between equals the one with fewer pods, then the one that comes first by name: no luck is involved. */
function isBetter(left: Ranked, right: Ranked): boolean {
  if (Math.abs(left.sum - right.sum) > 1e-9) return left.sum > right.sum;
  const byPods = (left.entry.used.get('pods') ?? 0) - (right.entry.used.get('pods') ?? 0);
  return byPods === 0 ? left.entry.name < right.entry.name : byPods < 0;
}

function unschedulable(
  nodeCount: number,
  parts: readonly string[],
  reasons: ReadonlyMap<string, number> = new Map(),
): Placement {
  const message =
    nodeCount === 0
      ? 'no nodes available to schedule pods'
      : `0/${nodeCount} nodes are available: ${parts.join(', ')}.`;
  return { kind: 'unschedulable', message, reasons };
}
