import { isNotFound, type ResourceClient } from '@smalt/kube';
import { isProvenOff } from '@smalt/vm-lifecycle';

import type { HandledNode } from './handled-node.ts';

/**
 * Makes the question whether a node was proven to be without power since a moment: the HA service notes that in the Node.
 * Another boot or heartbeat proves that it came back, and nothing is proven of a node that is gone.
 */
export function powerProofs(
  nodes: Pick<ResourceClient<HandledNode>, 'get'>,
): (nodeName: string, since: number, signal: AbortSignal) => Promise<boolean> {
  return async (nodeName, since, signal) => {
    try {
      return isProvenOff(await nodes.get(nodeName, { signal }), since);
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  };
}
