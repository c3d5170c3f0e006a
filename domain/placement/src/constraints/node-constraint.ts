import type { Pod } from '../pod.ts';
import { type Constraint, NO_OBJECTION } from './constraint.ts';
import { findUntoleratedTaint, tolerates } from './find-untolerated-taint.ts';
import { matchesNode } from './match-node-selector.ts';

const UNSCHEDULABLE = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const KEEPING_AWAY = ['NoSchedule', 'NoExecute'];

/** Keeps a pod off nodes that are cordoned, tainted, or not what it asks for. */
export function nodeConstraint({ spec }: Pod): Constraint {
  const toleratesCordon = (spec.tolerations ?? []).some((toleration) => tolerates(toleration, UNSCHEDULABLE));
  return ({ node }) => {
    if (node.spec?.unschedulable === true && !toleratesCordon) return ['node(s) were unschedulable'];
    const taint = findUntoleratedTaint(node.spec?.taints, spec.tolerations, KEEPING_AWAY);
    if (taint !== undefined) return [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`];
    if (!matchesNode(spec, node)) return [`node(s) didn't match Pod's node affinity/selector`];
    return NO_OBJECTION;
  };
}
