import { matchesLabels, type LabelSelector } from '@smalt/kubernetes';

import type { NamespaceLabels, PodMatcher } from '../constraints/pod-term.ts';
import type { PodEntry } from './pod-entry.ts';

/** Finds pods by their labels without a look at all of them. */
export class PodIndex {
  readonly #byNamespace = new Map<string, Set<PodEntry>>();
  readonly #byLabel = new Map<string, Set<PodEntry>>();

  add(entry: PodEntry): void {
    put(this.#byNamespace, entry.namespace, entry);
    for (const anchor of anchorsOf(entry)) put(this.#byLabel, anchor, entry);
  }

  delete(entry: PodEntry): void {
    drop(this.#byNamespace, entry.namespace, entry);
    for (const anchor of anchorsOf(entry)) drop(this.#byLabel, anchor, entry);
  }

  /** The pods that are meant, each once. */
  *find(matcher: PodMatcher, known: NamespaceLabels): Generator<PodEntry> {
    const { selector } = matcher;
    if (selector === undefined) return;
    const namespaces =
      matcher.namespaces ?? [...this.#byNamespace.keys()].filter((name) => matcher.isOfNamespace(name, known));
    for (const namespace of new Set(namespaces)) {
      for (const entry of this.#candidates(selector, namespace)) {
        if (matchesLabels(selector, entry.labels)) yield entry;
      }
    }
  }

  /** The smallest set of pods that holds all that match. */
  #candidates({ requirements }: LabelSelector, namespace: string): Iterable<PodEntry> {
    let best: readonly Set<PodEntry>[] = [this.#byNamespace.get(namespace) ?? new Set()];
    for (const requirement of requirements) {
      if (requirement.operator !== 'in') continue;
      const sets = requirement.values.map(
        (value) => this.#byLabel.get(labelAnchor(namespace, requirement.key, value)) ?? new Set<PodEntry>(),
      );
      if (sizeOf(sets) < sizeOf(best)) best = sets;
    }
    return best.length === 1 && best[0] !== undefined ? best[0] : new Set(best.flatMap((set) => [...set]));
  }
}

function sizeOf(sets: readonly Set<PodEntry>[]): number {
  return sets.reduce((sum, set) => sum + set.size, 0);
}

function anchorsOf({ namespace, labels }: PodEntry): readonly string[] {
  return Object.entries(labels).map(([key, value]) => labelAnchor(namespace, key, value));
}

function labelAnchor(namespace: string, key: string, value: string): string {
  return `${namespace}\n${key}\n${value}`;
}

/** Adds to the set under a key. */
export function put<T>(sets: Map<string, Set<T>>, key: string, item: T): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([item]));
  else set.add(item);
}

/** Takes out of the set under a key, and forgets the set with its last item. */
export function drop<T>(sets: Map<string, Set<T>>, key: string, item: T): void {
  const set = sets.get(key);
  set?.delete(item);
  if (set?.size === 0) sets.delete(key);
}
