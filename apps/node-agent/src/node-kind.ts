import type { KindReference } from '@smalt/kubernetes';

/** core/v1 Node; the agent only wants to know whether its own is there. */
export const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };
