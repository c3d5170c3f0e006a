import type { Condition, KindReference, KubernetesObject } from '@smalt/kubernetes';

/** A taint of a node, which keeps pods away or drives them out. */
export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** core/v1 Node, as far as the operator reads it. */
export interface ClusterNode extends KubernetesObject {
  readonly spec?: { readonly taints?: readonly Taint[] };
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly conditions?: readonly Condition[];
  };
}

export const clusterNodeKind: KindReference<ClusterNode> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isNamespaced: false,
};
