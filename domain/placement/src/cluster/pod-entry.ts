import { readPodRules, type PodRules } from '../constraints/read-pod-rules.ts';
import { podClaims, podKey, type Labels, type Pod } from '../pod.ts';
import type { Amounts } from '../resources/amounts.ts';
import { readRequests } from '../resources/read-requests.ts';

/** A pod on a node, read once. */
export interface PodEntry {
  readonly key: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly nodeName: string;
  readonly requests: Amounts;
  readonly rules: PodRules;
  /** The claims that it uses, as `namespace/name`. */
  readonly claims: readonly string[];
  /** Whether it is on its way out: then it takes room, but does not count where pods are spread. */
  readonly isLeaving: boolean;
}

/** Reads a pod that is on a node. Throws a PlacementError that names the field. */
export function readPodEntry(pod: Pod, nodeName: string): PodEntry {
  return {
    key: podKey(pod),
    namespace: pod.metadata.namespace ?? '',
    labels: pod.metadata.labels ?? {},
    nodeName,
    requests: readRequests(pod),
    rules: readPodRules(pod),
    claims: podClaims(pod),
    isLeaving: pod.metadata.deletionTimestamp !== undefined,
  };
}
