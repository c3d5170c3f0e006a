import { labelRequirement, labelSelectorFrom, matchesLabels, type LabelSelector } from '@smalt/kubernetes';
import type { PodAffinityTerm, TopologySpreadConstraint } from '@smalt/vm-api';

import { PlacementError } from '../placement-error.ts';
import type { Labels, Pod } from '../pod.ts';
import { labelOf } from './match-node-selector.ts';

/** Which pods a rule is about, ready to be asked many times. */
export interface PodMatcher {
  /** Undefined matches no pod. */
  readonly selector: LabelSelector | undefined;
  readonly isOfNamespace: (namespace: string, namespaceLabels: NamespaceLabels) => boolean;
  /** The namespaces to look in, where they are known by name alone. */
  readonly namespaces: readonly string[] | undefined;
}

/** The labels of a namespace, by its name. */
export type NamespaceLabels = ReadonlyMap<string, Labels>;

/** A term of pod affinity or anti-affinity with its weight; that of a required one is zero. */
export interface PodTerm {
  readonly matcher: PodMatcher;
  readonly topologyKey: string;
  readonly weight: number;
}

/** Whether a pod with these labels in this namespace is meant. */
export function matchesPod(matcher: PodMatcher, namespace: string, labels: Labels, known: NamespaceLabels): boolean {
  return (
    matcher.selector !== undefined && matcher.isOfNamespace(namespace, known) && matchesLabels(matcher.selector, labels)
  );
}

/** Reads a term of a pod. Throws a PlacementError that names the field. */
export function readTerm(pod: Pod, term: PodAffinityTerm, weight: number, field: string): PodTerm {
  return reading(field, () => {
    const own = pod.metadata.namespace ?? '';
    const named = term.namespaces ?? [];
    const chosen = term.namespaceSelector === undefined ? undefined : labelSelectorFrom(term.namespaceSelector);
    const namespaces = named.length === 0 && chosen === undefined ? [own] : named;
    const isOfNamespace = (namespace: string, known: NamespaceLabels): boolean =>
      namespaces.includes(namespace) || (chosen !== undefined && matchesLabels(chosen, known.get(namespace)));
    const selector = selectorOf(pod, term);
    const matcher = { selector, isOfNamespace, namespaces: chosen === undefined ? namespaces : undefined };
    return { matcher, topologyKey: term.topologyKey, weight };
  });
}

/** Reads which pods a spread constraint counts: those of the pod's own namespace. */
export function readSpreadMatcher(pod: Pod, constraint: TopologySpreadConstraint, field: string): PodMatcher {
  const own = pod.metadata.namespace ?? '';
  return reading(field, () => ({
    selector: selectorOf(pod, constraint),
    isOfNamespace: (namespace) => namespace === own,
    namespaces: [own],
  }));
}

interface SelectorFields extends Pick<PodAffinityTerm, 'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'> {}

function selectorOf(pod: Pod, term: SelectorFields): LabelSelector | undefined {
  if (term.labelSelector === undefined) return undefined;
  const labels = pod.metadata.labels ?? {};
  const alike = (keys: readonly string[] | undefined, operator: 'in' | 'notin'): LabelSelector['requirements'] =>
    (keys ?? []).flatMap((key) => {
      const value = labelOf(labels, key);
      return value === undefined ? [] : [labelRequirement(key, operator, [value])];
    });
  const requirements = [...alike(term.matchLabelKeys, 'in'), ...alike(term.mismatchLabelKeys, 'notin')];
  return { requirements: [...labelSelectorFrom(term.labelSelector).requirements, ...requirements] };
}

function reading<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'it cannot be read';
    throw new PlacementError('invalid-selector', `${field}: ${detail}`, { cause: error });
  }
}
