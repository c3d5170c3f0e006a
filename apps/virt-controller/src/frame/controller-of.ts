import type { KubernetesObject, OwnerReference } from '@smalt/kubernetes';

/** The owner that looks after an object, if there is one. */
export function controllerOf({ metadata }: Pick<KubernetesObject, 'metadata'>): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** Whether this very object looks after the other. */
export function isControlledBy(object: KubernetesObject, { metadata }: KubernetesObject): boolean {
  return metadata.uid !== undefined && controllerOf(object)?.uid === metadata.uid;
}
