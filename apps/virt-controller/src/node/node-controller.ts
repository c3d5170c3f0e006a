import { done, requeueAfter, source, type ControllerOptions, type Outcome } from '@smalt/controller-runtime';
import { isNotFound } from '@smalt/kube';
import type { Node } from '@smalt/placement';
import { WellKnownName } from '@smalt/vm-api';
import { decideNode } from '@smalt/vm-lifecycle';

import { isOvertaken } from '../frame/is-overtaken.ts';
import { nodeKind } from '../kinds/cluster-node.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { listenTo, type ListeningContext } from './listen-to.ts';

type NodeContext = ListeningContext & Pick<VirtControllerContext, 'client' | 'nodes' | 'recorder' | 'ignore'>;

/** Keeps new instances off nodes whose handlers are silent. */
export function createNodeController(context: NodeContext): ControllerOptions {
  const { nodes, heartbeats } = context;
  return {
    name: 'node',
    sources: [source(nodes)],
    reconcile: async (key, signal) => {
      const node = nodes.cache.get(key);
      if (node === undefined) heartbeats.forget(key);
      return node === undefined || !hasHandler(node) ? done : await judge(context, node, signal);
    },
  };
}

/** Nodes that never had a handler are no business of ours. */
function hasHandler({ metadata }: Node): boolean {
  return (
    metadata.labels?.[WellKnownName.schedulableNodeLabel] !== undefined ||
    metadata.annotations?.[WellKnownName.heartbeatAnnotation] !== undefined
  );
}

async function judge(context: NodeContext, node: Node, signal: AbortSignal): Promise<Outcome> {
  const { client, recorder, ignore } = context;
  const { labels, event, requeueAfterMs } = decideNode(node, listenTo(context, node));
  const { name, uid } = node.metadata;
  if (labels !== undefined) {
    // By the version: a heartbeat that came meanwhile speaks against it.
    const { resourceVersion } = node.metadata;
    try {
      await client.resource(nodeKind).patch(name, 'merge', { metadata: { uid, resourceVersion, labels } }, { signal });
      if (event !== undefined) void recorder.record(node, event.type, event.reason, event.message);
    } catch (error) {
      if (!isOvertaken(error) && !isNotFound(error)) throw error;
      ignore(error, 'a node that has changed meanwhile is looked at again');
    }
  }
  return requeueAfter(requeueAfterMs);
}
