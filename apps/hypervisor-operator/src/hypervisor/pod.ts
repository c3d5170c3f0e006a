import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

import type { Toleration } from './tolerates-taint.ts';

/** core/v1 Pod, as far as the operator reads it. */
export interface Pod extends KubernetesObject {
  readonly spec?: { readonly nodeName?: string; readonly tolerations?: readonly Toleration[] };
  readonly status?: { readonly phase?: string };
}

export const podKind: KindReference<Pod> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  isNamespaced: true,
};
