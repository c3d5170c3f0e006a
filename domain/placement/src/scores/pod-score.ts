import type { Cluster } from '../cluster/cluster.ts';
import { labelOf } from '../constraints/match-node-selector.ts';
import type { PodTerm } from '../constraints/pod-term.ts';
import type { PodRules } from '../constraints/read-pod-rules.ts';
import { countSpread } from '../constraints/spread-counts.ts';
import { TopologyCounts } from '../constraints/topology-counts.ts';
import type { Pod } from '../pod.ts';
import { normalize, stretch, type Score } from './score.ts';

/** How much the required affinity of a pod counts as a wish of its own. */
const REQUIRED_WEIGHT = 1;

/** Prefers nodes near to pods that one of both likes near, and far from those that one of both does not. */
export function podAffinityScore(pod: Pod, rules: PodRules, cluster: Cluster): Score {
  const weights = new TopologyCounts();
  const addAll = (terms: readonly PodTerm[], sign: 1 | -1): void => {
    for (const { matcher, topologyKey, weight } of terms) {
      for (const { nodeName } of cluster.pods.find(matcher, cluster.namespaceLabels)) {
        weights.add(cluster, nodeName, topologyKey, sign * weight);
      }
    }
  };
  addAll(rules.preferredAffinity, 1);
  addAll(rules.preferredAntiAffinity, -1);
  const { namespace = '', labels = {} } = pod.metadata;
  for (const { kind, owner, term } of cluster.terms.find(namespace, labels, cluster.namespaceLabels)) {
    weights.add(cluster, owner.nodeName, term.topologyKey, weightOf(kind, term));
  }
  return (entries) => stretch(entries.map((entry) => weights.sumFor(entry.labels)));
}

function weightOf(
  kind: 'affinity' | 'anti-affinity' | 'preferred-affinity' | 'preferred-anti-affinity',
  { weight }: PodTerm,
): number {
  switch (kind) {
    case 'affinity':
      return REQUIRED_WEIGHT;
    case 'anti-affinity':
      return 0;
    case 'preferred-affinity':
      return weight;
    case 'preferred-anti-affinity':
      return -weight;
  }
}

/** Prefers places with few of the pods that should be spread; a node that is in no place comes last. */
export function spreadScore(pod: Pod, cluster: Cluster): Score {
  const rules = countSpread(pod, cluster, 'ScheduleAnyway');
  return (entries) => {
    if (rules.length === 0) return entries.map(() => 0);
    const counts = entries.map(({ labels }) => {
      const values = rules.map(({ constraint, counts: known }) =>
        known.get(labelOf(labels, constraint.topologyKey) ?? ''),
      );
      return values.includes(undefined) ? undefined : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
    });
    const scores = normalize(
      counts.map((count) => count ?? 0),
      true,
    );
    return scores.map((score, index) => (counts[index] === undefined ? 0 : score));
  };
}
