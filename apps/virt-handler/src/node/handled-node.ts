import type { KindReference } from '@smalt/kubernetes';
import type { Node, QuantitiesByName } from '@smalt/placement';

/** A core/v1 Node, as far as its handler reads it. */
export interface HandledNode extends Node {
  readonly status?: NonNullable<Node['status']> & { readonly capacity?: QuantitiesByName };
}

export const handledNodeKind: KindReference<HandledNode> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isNamespaced: false,
};
