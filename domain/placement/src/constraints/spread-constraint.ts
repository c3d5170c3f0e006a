import type { Cluster } from '../cluster/cluster.ts';
import type { Pod } from '../pod.ts';
import { type Constraint, NO_OBJECTION } from './constraint.ts';
import { labelOf } from './match-node-selector.ts';
import { countSpread, type SpreadCounts } from './spread-counts.ts';

/** Keeps pods spread over places as evenly as they must be. */
export function spreadConstraint(pod: Pod, cluster: Cluster): Constraint {
  const rules = countSpread(pod, cluster, 'DoNotSchedule').map((spread) => ({ ...spread, least: leastOf(spread) }));
  return ({ labels }) => {
    for (const { constraint, counts, countsItself, least } of rules) {
      const value = labelOf(labels, constraint.topologyKey);
      if (value === undefined) {
        return [`node(s) didn't match pod topology spread constraints (missing required label)`];
      }
      const skew = (counts.get(value) ?? 0) + (countsItself ? 1 : 0) - least;
      if (skew > constraint.maxSkew) return [`node(s) didn't match pod topology spread constraints`];
    }
    return NO_OBJECTION;
  };
}

/** With fewer places than there must be, the missing ones count as empty. */
function leastOf({ constraint, counts }: SpreadCounts): number {
  if (counts.size === 0 || counts.size < (constraint.minDomains ?? 1)) return 0;
  return Math.min(...counts.values());
}
