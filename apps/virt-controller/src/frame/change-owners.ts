import type { AwaitedWrites } from '@smalt/controller-runtime';
import { isNotFound, type ResourceClient } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';
import type { Ignore } from '@smalt/service-runtime';
import type { OwnerChange } from '@smalt/vm-lifecycle';

interface OwnerWriting<T extends KubernetesObject> {
  readonly objects: Pick<ResourceClient<T>, 'patch'>;
  readonly written: Pick<AwaitedWrites<T>, 'note'>;
  readonly ignore: Ignore;
}

/** Writes whom an object belongs to, if it is still as it was read. Says whether it was there. */
export async function changeOwners<T extends KubernetesObject>(
  { objects, written, ignore }: OwnerWriting<T>,
  { object, ownerReferences }: OwnerChange<T>,
  signal: AbortSignal,
): Promise<boolean> {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const patch = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'add', path: '/metadata/ownerReferences', value: ownerReferences },
  ];
  try {
    written.note(await objects.patch(name, 'json', patch, { namespace, signal }));
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'what is gone belongs to nobody');
    return false;
  }
}
