import type { FenceProof, NodeHealth } from '@smalt/vm-lifecycle';
import { judgeHeartbeat } from '@smalt/vm-lifecycle';

import type { VirtControllerContext } from '../virt-controller-context.ts';
import { listenTo } from '../node/listen-to.ts';
import { readFenceProofs } from './read-fence-proofs.ts';

/** What is known of some nodes: whether their handlers are heard of, and whether they were proved to be off. */
export interface NodeStates {
  readonly nodes: ReadonlyMap<string, NodeHealth>;
  readonly fenceProofs: readonly FenceProof[];
}

type StateContext = Pick<VirtControllerContext, 'nodes' | 'heartbeats' | 'hypervisors' | 'settings' | 'clock'>;

/** Looks nodes up by their names. One that does not exist is silent. */
export function nodeStates(context: StateContext, names: readonly string[]): NodeStates {
  const { nodes, hypervisors } = context;
  const unique = [...new Set(names)];
  return {
    nodes: new Map(
      unique.map((name) => {
        const node = nodes.cache.get(name);
        return [name, judgeHeartbeat(node, listenTo(context, node))];
      }),
    ),
    fenceProofs: unique.flatMap((name) => readFenceProofs(name, nodes.cache.get(name), hypervisors?.cache.get(name))),
  };
}
