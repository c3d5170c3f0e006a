import type { OwnerReference } from '@smalt/kubernetes';

import type { ClusterNode } from './cluster-node.ts';

/** Makes an object go with its node. */
export function nodeOwnerReference({ metadata: { name, uid = '' } }: ClusterNode): OwnerReference {
  return { apiVersion: 'v1', kind: 'Node', name, uid };
}
