import type { ResourceName } from '../errors/make-status-error.ts';
import { qualifiedName } from '../errors/make-status-error.ts';
import type { ObjectKey } from './write-context.ts';

/** The name under which the objects of a resource are stored, whatever its version. */
export function storageName(resource: ResourceName): string {
  // Events are served by two groups, and are the same objects in both.
  if (resource.group === 'events.k8s.io' && resource.plural === 'events') return 'events';
  return qualifiedName(resource);
}

/** The key of an object in the store. */
export function storageKey(key: ObjectKey): string {
  return `${key.namespace}/${key.name}`;
}
