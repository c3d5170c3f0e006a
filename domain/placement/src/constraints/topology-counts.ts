import type { Cluster } from '../cluster/cluster.ts';
import { labelOf } from './match-node-selector.ts';

/** Numbers by the key of a topology and its value on a node. */
export class TopologyCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  /** Adds to the place that a node is in; one that lacks the label is in none. */
  add(cluster: Cluster, nodeName: string, topologyKey: string, amount: number): void {
    const labels = cluster.node(nodeName)?.labels;
    const value = labels === undefined ? undefined : labelOf(labels, topologyKey);
    if (value === undefined) return;
    const counts = this.#counts.get(topologyKey) ?? new Map<string, number>();
    counts.set(value, (counts.get(value) ?? 0) + amount);
    this.#counts.set(topologyKey, counts);
  }

  of(topologyKey: string, value: string): number {
    return this.#counts.get(topologyKey)?.get(value) ?? 0;
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  /** The sum over all places that a node with these labels is in. */
  sumFor(labels: Readonly<Record<string, string>>): number {
    let sum = 0;
    for (const [key, counts] of this.#counts) {
      const value = labelOf(labels, key);
      if (value !== undefined) sum += counts.get(value) ?? 0;
    }
    return sum;
  }
}
