import { isNotFound, type ResourceClient } from '@smalt/kube';
import { WellKnownName } from '@smalt/vm-api';

import type { HandledNode } from './handled-node.ts';

/**
 * Makes the question whether a node was proven to be without power since a moment: the HA service notes that in the Node.
 * A heartbeat that is younger proves that it came back, and nothing is proven of a node that is gone.
 */
export function powerProofs(
  nodes: Pick<ResourceClient<HandledNode>, 'get'>,
): (nodeName: string, since: number, signal: AbortSignal) => Promise<boolean> {
  return async (nodeName, since, signal) => {
    try {
      const { metadata } = await nodes.get(nodeName, { signal });
      return isOffSince(metadata.annotations ?? {}, since);
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  };
}

/** Whether the annotations of a node prove that it was off after a moment, and not heard of since. */
export function isOffSince(annotations: Readonly<Record<string, string>>, since: number): boolean {
  const offAt = Date.parse(annotations[WellKnownName.fencedAtAnnotation] ?? '');
  const heardAt = Date.parse(annotations[WellKnownName.heartbeatAnnotation] ?? '');
  return offAt > since && !(heardAt >= offAt);
}
