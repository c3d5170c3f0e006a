import type { Pod } from '../pod.ts';
import { findUntoleratedTaint } from '../constraints/find-untolerated-taint.ts';
import { matchesTerm } from '../constraints/match-node-selector.ts';
import { normalize, type Score } from './score.ts';

/** Prefers nodes that are what the pod would like. */
export function nodeAffinityScore({ spec }: Pod): Score {
  const wishes = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return (entries) => {
    const sums = entries.map(({ node }) =>
      wishes.reduce((sum, { preference, weight }) => sum + (matchesTerm(preference, node) ? weight : 0), 0),
    );
    return normalize(sums, false);
  };
}

/** Prefers nodes with few taints that would rather keep the pod away. */
export function taintScore({ spec }: Pod): Score {
  return (entries) => {
    const counts = entries.map(
      ({ node }) =>
        (node.spec?.taints ?? []).filter(
          (taint) => findUntoleratedTaint([taint], spec.tolerations, ['PreferNoSchedule']) !== undefined,
        ).length,
    );
    return normalize(counts, true);
  };
}
