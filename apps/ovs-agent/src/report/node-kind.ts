import type { KindReference } from '@smalt/kubernetes';

/** core/v1 Node; the agent wants to know its uid, and nothing else. */
export const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };
