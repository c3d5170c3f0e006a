import type { PodAffinity, PodAffinityTerm, WeightedPodAffinityTerm } from '@smalt/vm-api';

import { podKey, type Pod } from '../pod.ts';
import { readTerm, type PodTerm } from './pod-term.ts';

/** What a pod says about the pods around it, read once. */
export interface PodRules {
  readonly affinity: readonly PodTerm[];
  readonly antiAffinity: readonly PodTerm[];
  readonly preferredAffinity: readonly PodTerm[];
  readonly preferredAntiAffinity: readonly PodTerm[];
}

/** Reads the affinity and anti-affinity of a pod to other pods. */
export function readPodRules(pod: Pod): PodRules {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  const field = `pod ${podKey(pod)}: spec.affinity`;
  return {
    affinity: required(pod, podAffinity, `${field}.podAffinity`),
    antiAffinity: required(pod, podAntiAffinity, `${field}.podAntiAffinity`),
    preferredAffinity: preferred(pod, podAffinity, `${field}.podAffinity`),
    preferredAntiAffinity: preferred(pod, podAntiAffinity, `${field}.podAntiAffinity`),
  };
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

function required(pod: Pod, affinity: PodAffinity | undefined, field: string): readonly PodTerm[] {
  const terms: readonly PodAffinityTerm[] = affinity?.[REQUIRED] ?? [];
  return terms.map((term, index) => readTerm(pod, term, 0, `${field}.${REQUIRED}[${index}].labelSelector`));
}

function preferred(pod: Pod, affinity: PodAffinity | undefined, field: string): readonly PodTerm[] {
  const terms: readonly WeightedPodAffinityTerm[] = affinity?.[PREFERRED] ?? [];
  return terms.map(({ podAffinityTerm, weight }, index) =>
    readTerm(pod, podAffinityTerm, weight, `${field}.${PREFERRED}[${index}].podAffinityTerm.labelSelector`),
  );
}
