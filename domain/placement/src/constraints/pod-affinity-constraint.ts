import type { Cluster } from '../cluster/cluster.ts';
import type { NodeEntry } from '../cluster/node-entry.ts';
import type { Pod } from '../pod.ts';
import { type Constraint, NO_OBJECTION } from './constraint.ts';
import { labelOf } from './match-node-selector.ts';
import { matchesPod, type PodTerm } from './pod-term.ts';
import type { PodRules } from './read-pod-rules.ts';
import { TopologyCounts } from './topology-counts.ts';

/** Keeps a pod near to those it must be near to, and away from those that one of both wants away. */
export function podAffinityConstraint(pod: Pod, rules: PodRules, cluster: Cluster): Constraint {
  const wanted = wantedPlaces(rules.affinity, cluster);
  const isFirst = wanted.isEmpty && rules.affinity.every((term) => isAbout(term, pod, cluster));
  const unwanted = unwantedPlaces(rules.antiAffinity, cluster);
  const forbidden = forbiddenPlaces(pod, cluster);
  return (entry) => {
    if (!isNearAll(entry, rules.affinity, wanted, isFirst)) return [`node(s) didn't match pod affinity rules`];
    if (unwanted.sumFor(entry.labels) > 0) return [`node(s) didn't match pod anti-affinity rules`];
    if (forbidden.sumFor(entry.labels) > 0) return [`node(s) didn't satisfy existing pods anti-affinity rules`];
    return NO_OBJECTION;
  };
}

/** The first pod of a group that wants to be near itself may go to any place there is. */
function isNearAll(
  { labels }: NodeEntry,
  terms: readonly PodTerm[],
  wanted: TopologyCounts,
  isFirst: boolean,
): boolean {
  return terms.every(({ topologyKey }) => {
    const value = labelOf(labels, topologyKey);
    return value !== undefined && (isFirst || wanted.of(topologyKey, value) > 0);
  });
}

/** Only pods that all terms are about count: so does kube-scheduler. */
function wantedPlaces(terms: readonly PodTerm[], cluster: Cluster): TopologyCounts {
  const places = new TopologyCounts();
  const [first] = terms;
  if (first === undefined) return places;
  for (const { namespace, labels, nodeName } of cluster.pods.find(first.matcher, cluster.namespaceLabels)) {
    const isMeant = terms.every(({ matcher }) => matchesPod(matcher, namespace, labels, cluster.namespaceLabels));
    if (isMeant) for (const { topologyKey } of terms) places.add(cluster, nodeName, topologyKey, 1);
  }
  return places;
}

function unwantedPlaces(terms: readonly PodTerm[], cluster: Cluster): TopologyCounts {
  const places = new TopologyCounts();
  for (const { matcher, topologyKey } of terms) {
    for (const { nodeName } of cluster.pods.find(matcher, cluster.namespaceLabels)) {
      places.add(cluster, nodeName, topologyKey, 1);
    }
  }
  return places;
}

function forbiddenPlaces({ metadata }: Pod, cluster: Cluster): TopologyCounts {
  const places = new TopologyCounts();
  const { namespace = '', labels = {} } = metadata;
  for (const { kind, owner, term } of cluster.terms.find(namespace, labels, cluster.namespaceLabels)) {
    if (kind === 'anti-affinity') places.add(cluster, owner.nodeName, term.topologyKey, 1);
  }
  return places;
}

function isAbout({ matcher }: PodTerm, { metadata }: Pod, cluster: Cluster): boolean {
  return matchesPod(matcher, metadata.namespace ?? '', metadata.labels ?? {}, cluster.namespaceLabels);
}
