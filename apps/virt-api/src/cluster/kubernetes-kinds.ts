import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

/** As much of a pod as is looked at here. */
export interface Pod extends KubernetesObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string };
}

/** As much of a node as is looked at here. */
export interface Node extends KubernetesObject {
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly effect?: string }[];
  };
}

/** As much of a ControllerRevision as is looked at here. */
export interface ControllerRevision extends KubernetesObject {
  readonly data?: unknown;
}

export const podKind: KindReference<Pod> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  isNamespaced: true,
};

export const nodeKind: KindReference<Node> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isNamespaced: false,
};

export const controllerRevisionKind: KindReference<ControllerRevision> = {
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  isNamespaced: true,
};

export const claimKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  isNamespaced: true,
};
