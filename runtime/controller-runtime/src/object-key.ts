import type { KubernetesObject } from '@smalt/kubernetes';

/** Names an object of a known kind: `namespace/name`, or `name` for cluster-wide kinds. */
export type ObjectKey = string;

export function keyOf({ metadata }: Pick<KubernetesObject, 'metadata'>): ObjectKey {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
}

export function splitKey(key: ObjectKey): { readonly namespace: string | undefined; readonly name: string } {
  const slash = key.indexOf('/');
  if (slash < 0) return { namespace: undefined, name: key };
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
