import { matchesPod, type NamespaceLabels, type PodTerm } from '../constraints/pod-term.ts';
import type { Labels } from '../pod.ts';
import type { PodEntry } from './pod-entry.ts';
import { drop, put } from './pod-index.ts';

/** What a pod on a node says about the pods around it. */
export interface OwnedTerm {
  readonly kind: 'affinity' | 'anti-affinity' | 'preferred-affinity' | 'preferred-anti-affinity';
  readonly owner: PodEntry;
  readonly term: PodTerm;
}

/** Finds what pods on nodes say about a pod, without a look at all that they say. */
export class TermIndex {
  readonly #byLabel = new Map<string, Set<OwnedTerm>>();
  readonly #byOwner = new Map<PodEntry, readonly OwnedTerm[]>();

  add(owner: PodEntry): void {
    const terms = ownedTerms(owner);
    if (terms.length === 0) return;
    this.#byOwner.set(owner, terms);
    for (const term of terms) for (const anchor of anchorsOf(term)) put(this.#byLabel, anchor, term);
  }

  delete(owner: PodEntry): void {
    for (const term of this.#byOwner.get(owner) ?? []) {
      for (const anchor of anchorsOf(term)) drop(this.#byLabel, anchor, term);
    }
    this.#byOwner.delete(owner);
  }

  /** The terms that are about a pod with these labels. */
  *find(namespace: string, labels: Labels, known: NamespaceLabels): Generator<OwnedTerm> {
    const anchors = ['', ...Object.entries(labels).map(([key, value]) => `${key}\n${value}`)];
    for (const anchor of anchors) {
      for (const owned of this.#byLabel.get(anchor) ?? []) {
        if (matchesPod(owned.term.matcher, namespace, labels, known)) yield owned;
      }
    }
  }
}

function ownedTerms(owner: PodEntry): readonly OwnedTerm[] {
  const { affinity, antiAffinity, preferredAffinity, preferredAntiAffinity } = owner.rules;
  const own = (kind: OwnedTerm['kind'], terms: readonly PodTerm[]): OwnedTerm[] =>
    terms.map((term) => ({ kind, owner, term }));
  return [
    ...own('affinity', affinity),
    ...own('anti-affinity', antiAffinity),
    ...own('preferred-affinity', preferredAffinity),
    ...own('preferred-anti-affinity', preferredAntiAffinity),
  ];
}

/** A label that all pods have which the term is about; one key has one value, so no term is found twice. */
function anchorsOf({ term }: OwnedTerm): readonly string[] {
  for (const requirement of term.matcher.selector?.requirements ?? []) {
    if (requirement.operator === 'in')
      return [...new Set(requirement.values)].map((value) => `${requirement.key}\n${value}`);
  }
  return [''];
}
