import { isAlreadyExists, type Draft, type ResourceClient } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';

import { VirtControllerError } from '../virt-controller-error.ts';
import { controllerOf } from './controller-of.ts';

/**
 * Makes an object whose name is always the same for the same purpose, once: one that is there already and has the same
 * owner is what was to be made. Throws a VirtControllerError when the name belongs to somebody else.
 */
export async function createOwned<T extends KubernetesObject>(
  objects: ResourceClient<T>,
  draft: Draft<T> & KubernetesObject,
  signal: AbortSignal,
): Promise<{ readonly object: T; readonly isNew: boolean }> {
  try {
    return { object: await objects.create(draft, { signal }), isNew: true };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { name, namespace } = draft.metadata;
    const object = await objects.get(name, { namespace, signal });
    if (controllerOf(object)?.uid === controllerOf(draft)?.uid) return { object, isNew: false };
    const { kind } = objects.kind;
    const message = `there is a ${kind} ${name} already that belongs to somebody else; delete or rename it`;
    throw new VirtControllerError('name-taken', message, { cause: error });
  }
}
