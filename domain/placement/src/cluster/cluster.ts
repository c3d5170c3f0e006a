import type { NamespaceLabels } from '../constraints/pod-term.ts';
import type { Node } from '../node.ts';
import { isEndedPod, podKey, type Labels, type Pod } from '../pod.ts';
import type { ClaimIndex } from './claim-index.ts';
import { readNodeEntry, type NodeEntry } from './node-entry.ts';
import { readPodEntry, type PodEntry } from './pod-entry.ts';
import { PodIndex } from './pod-index.ts';
import { TermIndex } from './term-index.ts';

/**
 * The nodes and the pods on them, kept up to date change by change, so that placing one pod takes a look at each node and
 * none at each pod.
 */
export class Cluster {
  readonly pods: PodIndex = new PodIndex();
  readonly terms: TermIndex = new TermIndex();
  /** Without it nobody knows of claims, and pods go where their volumes may not be. */
  readonly claims: ClaimIndex | undefined;
  readonly #nodes = new Map<string, NodeEntry>();
  readonly #used = new Map<string, Map<string, number>>();
  readonly #entries = new Map<string, PodEntry>();
  readonly #assumed = new Set<string>();
  readonly #namespaces = new Map<string, Labels>();

  constructor(claims?: ClaimIndex) {
    this.claims = claims;
  }

  /** Takes a node in, or what has changed about it. */
  setNode(node: Node): void {
    this.#nodes.set(node.metadata.name, readNodeEntry(node, this.#usedOn(node.metadata.name)));
  }

  removeNode(name: string): void {
    this.#nodes.delete(name);
  }

  /** Takes a pod in, or what has changed about it. One that has no node, or has ended, takes no room. */
  setPod(pod: Pod): void {
    const { nodeName = '' } = pod.spec;
    // What was seen before the API knew the node must not give the room away again.
    if (nodeName === '' && this.#assumed.has(podKey(pod)) && !isEndedPod(pod)) return;
    if (nodeName === '' || isEndedPod(pod)) this.removePod(podKey(pod));
    else this.#replace(readPodEntry(pod, nodeName));
  }

  /** Counts a pod on the node that was chosen for it, before the API says so. If it never will, use `removePod`. */
  assume(pod: Pod, nodeName: string): void {
    this.#replace(readPodEntry(pod, nodeName));
    this.#assumed.add(podKey(pod));
  }

  /** Forgets a pod by its `namespace/name`. */
  removePod(key: string): void {
    this.#assumed.delete(key);
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.pods.delete(entry);
    this.terms.delete(entry);
    this.claims?.delete(entry);
    this.#count(entry, -1);
  }

  setNamespace(name: string, labels: Labels): void {
    this.#namespaces.set(name, labels);
  }

  removeNamespace(name: string): void {
    this.#namespaces.delete(name);
  }

  get nodes(): Iterable<NodeEntry> {
    return this.#nodes.values();
  }

  node(name: string): NodeEntry | undefined {
    return this.#nodes.get(name);
  }

  get nodeCount(): number {
    return this.#nodes.size;
  }

  get namespaceLabels(): NamespaceLabels {
    return this.#namespaces;
  }

  #replace(entry: PodEntry): void {
    this.removePod(entry.key);
    this.#entries.set(entry.key, entry);
    this.pods.add(entry);
    this.terms.add(entry);
    this.claims?.add(entry);
    this.#count(entry, 1);
  }

  #count({ nodeName, requests }: PodEntry, sign: 1 | -1): void {
    const used = this.#usedOn(nodeName);
    for (const [name, amount] of requests) used.set(name, (used.get(name) ?? 0) + sign * amount);
  }

  /** Kept beside the nodes: a pod may be known before its node is, and outlive it. */
  #usedOn(nodeName: string): Map<string, number> {
    const known = this.#used.get(nodeName);
    if (known !== undefined) return known;
    const used = new Map<string, number>();
    this.#used.set(nodeName, used);
    return used;
  }
}
