import type { NodeEntry } from '../cluster/node-entry.ts';

/** Says why a node cannot take the pod, in the words of kube-scheduler; nothing when it can. */
export type Constraint = (entry: NodeEntry) => readonly string[];

/** What all constraints say of a node that can take the pod. */
export const NO_OBJECTION: readonly string[] = [];
