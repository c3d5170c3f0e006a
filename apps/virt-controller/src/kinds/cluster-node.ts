import type { KindReference } from '@smalt/kubernetes';
import type { Node } from '@smalt/placement';
import { WellKnownName } from '@smalt/vm-api';

export const nodeKind: KindReference<Node> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isNamespaced: false,
};

const READ_ANNOTATIONS = [WellKnownName.heartbeatAnnotation, WellKnownName.fencedAtAnnotation];

/** What is kept of a node in memory: labels, taints, and the two times that decisions go by. */
export function slimNode({ apiVersion, kind, metadata, spec }: Node): Node {
  const { name, uid, resourceVersion, labels, annotations = {} } = metadata;
  const read = READ_ANNOTATIONS.flatMap((key) => {
    const value = annotations[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(labels === undefined ? {} : { labels }),
      annotations: Object.fromEntries(read),
    },
    ...(spec?.taints === undefined ? {} : { spec: { taints: spec.taints } }),
  };
}
