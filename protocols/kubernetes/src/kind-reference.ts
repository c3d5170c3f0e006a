import type { KubernetesObject } from './object.ts';

/** Names a kind and where it is served. The type parameter is what its objects look like. */
export interface KindReference<T extends KubernetesObject = KubernetesObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  /** Never there: it only carries the type. */
  readonly object?: T;
}

/** `v1`, or `group/version`. */
export function apiVersionOf({ group, version }: Pick<KindReference, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}
