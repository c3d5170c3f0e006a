// Written by 'npm run generate' from domain/ovs-api/kinds. Change the declarations there instead.

import type { KindReference } from '@smalt/kubernetes';

import type { OVSNode } from './objects.gen.ts';

export const ovsNodeKind: KindReference<OVSNode> = {
  group: 'ovs.c5c3.io',
  version: 'v1alpha1',
  kind: 'OVSNode',
  plural: 'ovsnodes',
  isNamespaced: true,
};
