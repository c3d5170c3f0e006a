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

const READ_ANNOTATIONS = [
  WellKnownName.heartbeatAnnotation,
  WellKnownName.fencedAtAnnotation,
  WellKnownName.fencedBootAnnotation,
  WellKnownName.fencedHeartbeatAnnotation,
];

/** What is kept of a node in memory: labels, taints, its boot, and what tells whether it is on. */
export function slimNode({ apiVersion, kind, metadata, spec, status }: Node): Node {
  const { name, uid, resourceVersion, labels, annotations = {} } = metadata;
  const bootID = status?.nodeInfo?.bootID;
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
    ...(bootID === undefined ? {} : { status: { nodeInfo: { bootID } } }),
  };
}
