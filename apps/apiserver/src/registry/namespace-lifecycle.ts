import { isJsonObject, type JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { forbiddenError, namespaceTerminatingError, notFoundError } from '../errors/make-status-error.ts';
import type { Store } from '../store/store.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };
const IMMORTAL: ReadonlySet<string> = new Set(['default', 'kube-public', 'kube-system']);

/** Refuses to create an object in a namespace that does not exist or is being deleted. */
export function checkNamespaceForCreate(store: Store, resource: Resource, namespace: string, name: string): void {
  if (!resource.isNamespaced || isAccessReview(resource)) return;
  const object = store.get('namespaces', `/${namespace}`);
  if (object === undefined) throw notFoundError(NAMESPACES, namespace);
  const status = object.value['status'];
  if (!isJsonObject(status) || status['phase'] !== 'Terminating') return;
  throw namespaceTerminatingError(resource, name, namespace);
}

/** Refuses to change an object whose namespace is gone. */
export function checkNamespaceForUpdate(store: Store, resource: Resource, namespace: string): void {
  if (!resource.isNamespaced || isAccessReview(resource)) return;
  if (store.get('namespaces', `/${namespace}`) === undefined) throw notFoundError(NAMESPACES, namespace);
}

/** Refuses to delete a namespace that the server cannot be without. */
export function checkNamespaceForDelete(resource: Resource, name: string): void {
  if (isNamespace(resource) && IMMORTAL.has(name))
    throw forbiddenError(resource, name, 'this namespace may not be deleted');
}

export function isNamespace(resource: Pick<Resource, 'group' | 'plural'>): boolean {
  return resource.group === '' && resource.plural === 'namespaces';
}

/** The finalizers in the spec of a namespace: those who still have to empty it. */
export function namespaceFinalizersOf(namespace: JsonObject): readonly string[] {
  const spec = namespace['spec'];
  const finalizers = isJsonObject(spec) ? spec['finalizers'] : undefined;
  return Array.isArray(finalizers) ? finalizers.filter((name): name is string => typeof name === 'string') : [];
}

// Whether a namespace exists is not told to those who only ask what they may do in it.
function isAccessReview(resource: Resource): boolean {
  return resource.group === 'authorization.k8s.io' && resource.plural === 'localsubjectaccessreviews';
}
