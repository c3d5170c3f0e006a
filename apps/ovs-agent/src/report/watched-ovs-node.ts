import type { Informer, Informers } from '@smalt/controller-runtime';
import type { KubernetesObject } from '@smalt/kubernetes';
import { ovsNodeKind, type OVSNode } from '@smalt/ovs-api';

import { nodeKind } from './node-kind.ts';

/** The OVSNode of this node, and the Node itself, each by a watch on that one object. */
export class WatchedOvsNode {
  readonly informer: Informer<OVSNode>;
  readonly #key: string;
  readonly #nodeName: string;
  readonly #node: Informer<KubernetesObject>;

  constructor(
    informers: Informers,
    { namespace, nodeName }: { readonly namespace: string; readonly nodeName: string },
  ) {
    this.#key = `${namespace}/${nodeName}`;
    this.#nodeName = nodeName;
    this.informer = informers.for(ovsNodeKind, { select: { namespace, fieldSelector: named(nodeName) } });
    this.#node = informers.for(nodeKind, { select: { fieldSelector: named(nodeName) }, transform: bare });
  }

  get key(): string {
    return this.#key;
  }

  get current(): OVSNode | undefined {
    return this.informer.cache.get(this.#key);
  }

  /** Undefined where there is no such Node, or where it is not known. */
  get nodeUid(): string | undefined {
    return this.#node.cache.get(this.#nodeName)?.metadata.uid;
  }

  /** Resolves once it is known whether there is such a Node, or the signal fires. */
  async whenNodeSought(signal: AbortSignal): Promise<void> {
    await this.#node.whenSynced(signal).catch(() => undefined);
  }

  onChange(handler: () => void): () => void {
    const stops = [this.informer.onChange(handler), this.#node.onChange(handler)];
    return () => {
      for (const stop of stops) stop();
    };
  }
}

/** A Node is written every few seconds and is large; its uid is all that matters. */
function bare({ apiVersion, kind, metadata: { name, uid } }: KubernetesObject): KubernetesObject {
  return { apiVersion, kind, metadata: { name, ...(uid !== undefined && { uid }) } };
}

function named(value: string): { readonly requirements: readonly [{ field: string; isEqual: true; value: string }] } {
  return { requirements: [{ field: 'metadata.name', isEqual: true, value }] };
}
