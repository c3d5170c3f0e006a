import type { KindReference } from '@smalt/kubernetes';
import type { Node, Pod } from '@smalt/placement';

export const nodeKind: KindReference<Node> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isNamespaced: false,
};

export const podKind: KindReference<Pod> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  isNamespaced: true,
};
