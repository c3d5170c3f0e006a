import { podClaims, type Pod } from '../pod.ts';
import type { ClaimIndex, ClaimPlace } from '../cluster/claim-index.ts';
import { type Constraint, NO_OBJECTION } from './constraint.ts';
import { matchesSelector } from './match-node-selector.ts';

const ELSEWHERE = `node(s) didn't match PersistentVolume's node affinity`;
const LOST = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

/** Why the claims of a pod keep it off every node, in the words of kube-scheduler; undefined when they do not. */
export function claimRefusal(pod: Pod, claims: ClaimIndex): string | undefined {
  for (const key of podClaims(pod)) {
    const name = key.slice(key.indexOf('/') + 1);
    const { kind } = claims.find(key);
    if (kind === 'missing') return `persistentvolumeclaim "${name}" not found`;
    if (kind === 'leaving') return `persistentvolumeclaim "${name}" is being deleted`;
    if (kind === 'unbound') return 'pod has unbound immediate PersistentVolumeClaims';
  }
  return undefined;
}

/** Keeps a pod off nodes that its volumes are not on. */
export function claimConstraint(pod: Pod, claims: ClaimIndex): Constraint {
  const places = podClaims(pod).map((key) => claims.find(key));
  return ({ node, name }) => {
    for (const place of places) {
      const objection = objectionTo(place, (selector) => matchesSelector(selector, node), name);
      if (objection !== undefined) return [objection];
    }
    return NO_OBJECTION;
  };
}

type Selector = Parameters<typeof matchesSelector>[0];

function objectionTo(
  place: ClaimPlace,
  isReachedBy: (selector: Selector) => boolean,
  nodeName: string,
): string | undefined {
  switch (place.kind) {
    case 'bound': {
      const required = place.volume.spec.nodeAffinity?.required;
      return required === undefined || isReachedBy(required) ? undefined : ELSEWHERE;
    }
    case 'wherever':
      return place.nodeName === undefined || place.nodeName === nodeName ? undefined : ELSEWHERE;
    case 'lost':
      return LOST;
    case 'missing':
    case 'leaving':
    case 'unbound':
      // It goes nowhere at all, which `claimRefusal` has said.
      return undefined;
  }
}
