import type { ObjectChange } from '@smalt/controller-runtime';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import type { Node } from '@smalt/placement';

export const nodeKind: KindReference<Node> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isNamespaced: false,
};

export const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

/** What is kept of a node in memory: heartbeats and addresses say nothing about what fits there. */
export function slimNode({ apiVersion, kind, metadata, spec, status }: Node): Node {
  const { unschedulable, taints } = spec ?? {};
  return {
    apiVersion,
    kind,
    metadata: slimMetadata({ metadata }),
    spec: {
      ...(unschedulable === undefined ? {} : { unschedulable }),
      ...(taints === undefined ? {} : { taints }),
    },
    ...(status?.allocatable === undefined ? {} : { status: { allocatable: status.allocatable } }),
  };
}

/** What is kept of a namespace in memory: its labels, which rules about pods go by. */
export function slimNamespace({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  return { apiVersion, kind, metadata: slimMetadata({ metadata }) };
}

function slimMetadata({ metadata }: Pick<KubernetesObject, 'metadata'>): KubernetesObject['metadata'] {
  const { name, uid, resourceVersion, labels } = metadata;
  return {
    name,
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(labels === undefined ? {} : { labels }),
  };
}

/** Whether a pod that fitted nowhere may fit after this change. The cache keeps what stays the same as the same object. */
export function mayMakeRoom({ old, current }: ObjectChange<Node>): boolean {
  if (current === undefined) return false;
  return (
    old === undefined ||
    old.metadata.labels !== current.metadata.labels ||
    old.spec !== current.spec ||
    old.status?.allocatable !== current.status?.allocatable
  );
}
