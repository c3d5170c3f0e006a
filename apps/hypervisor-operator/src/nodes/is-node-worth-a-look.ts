import type { ObjectChange } from '@smalt/controller-runtime';

import type { ClusterNode } from './cluster-node.ts';
import { isNodeTerminating } from './is-node-terminating.ts';

/** Whether a change of a node can matter to a controller: conditions that kubelets tell do not. */
export function isNodeWorthALook({ old, current }: ObjectChange<ClusterNode>): boolean {
  if (old === undefined || current === undefined) return true;
  const { metadata: before } = old;
  const { metadata: now } = current;
  // The cache shares what did not change between versions of an object, so identity is enough.
  return (
    before.uid !== now.uid ||
    before.labels !== now.labels ||
    before.annotations !== now.annotations ||
    old.spec !== current.spec ||
    old.status?.addresses !== current.status?.addresses ||
    isNodeTerminating(old) !== isNodeTerminating(current)
  );
}
