import type { Informer, Informers } from '@smalt/controller-runtime';
import { hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import type { KubernetesObject } from '@smalt/kubernetes';

import type { HypervisorView } from './hypervisor-view.ts';
import { nodeKind } from './node-kind.ts';

/** Whether there is a Hypervisor to report on, and if not, why. */
export type Presence = 'unknown' | 'present' | 'no-hypervisor' | 'node-gone';

/**
 * The Hypervisor of a node by a watch on that one object, and, where it belongs to a Node, on that one too: a Hypervisor
 * whose Node is gone is about to go as well, and counts as gone.
 */
export class WatchedHypervisor implements HypervisorView {
  readonly informer: Informer<Hypervisor>;
  readonly #name: string;
  readonly #informers: Informers;
  readonly #handlers = new Set<(current: Hypervisor | undefined) => void>();
  #node: Informer<KubernetesObject> | undefined;

  constructor(informers: Informers, nodeName: string) {
    this.#name = nodeName;
    this.#informers = informers;
    this.informer = informers.for(hypervisorKind, { select: { fieldSelector: named(nodeName) } });
    this.informer.onChange(({ current }) => {
      if (current !== undefined && ownerNode(current) !== undefined) this.#watchNode();
      this.#tell();
    });
  }

  get presence(): Presence {
    if (!this.informer.hasSynced) return 'unknown';
    const hypervisor = this.informer.cache.get(this.#name);
    if (hypervisor === undefined) return 'no-hypervisor';
    return this.#isNodeGone(hypervisor) ? 'node-gone' : 'present';
  }

  get current(): Hypervisor | undefined {
    return this.presence === 'present' ? this.informer.cache.get(this.#name) : undefined;
  }

  onChange(handler: (current: Hypervisor | undefined) => void): () => void {
    this.#handlers.add(handler);
    const { current } = this;
    if (current !== undefined) handler(current);
    return () => void this.#handlers.delete(handler);
  }

  #watchNode(): void {
    if (this.#node !== undefined) return;
    this.#node = this.#informers.for(nodeKind, { select: { fieldSelector: named(this.#name) }, transform: bare });
    this.#node.onChange(() => this.#tell());
    // An empty cache changes nothing when it is filled, and yet it says that there is no such node.
    this.#node.whenSynced(new AbortController().signal).then(
      () => this.#tell(),
      () => undefined,
    );
  }

  #isNodeGone(hypervisor: Hypervisor): boolean {
    const owner = ownerNode(hypervisor);
    if (owner === undefined || this.#node?.hasSynced !== true) return false;
    return this.#node.cache.get(owner.name)?.metadata.uid !== owner.uid;
  }

  #tell(): void {
    const { current } = this;
    for (const handler of this.#handlers) handler(current);
  }
}

function ownerNode({ metadata }: Hypervisor): { readonly name: string; readonly uid: string } | undefined {
  return metadata.ownerReferences?.find(({ kind, name }) => kind === 'Node' && name === metadata.name);
}

/** A Node is written every few seconds and is large; that it exists is all that matters. */
function bare({ apiVersion, kind, metadata: { name, uid } }: KubernetesObject): KubernetesObject {
  return { apiVersion, kind, metadata: { name, ...(uid !== undefined && { uid }) } };
}

function named(value: string): { readonly requirements: readonly [{ field: string; isEqual: true; value: string }] } {
  return { requirements: [{ field: 'metadata.name', isEqual: true, value }] };
}
