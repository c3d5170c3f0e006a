import type { Resource } from '@smalt/resource';

import { notFoundError, tooLargeResourceVersionError } from '../errors/make-status-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { checkNameParameter } from './check-name-parameter.ts';
import { parseStartVersion } from './parse-resource-version.ts';
import type { RegistryDependencies } from './registry-dependencies.ts';
import { storageKey, storageName } from './storage-name.ts';
import type { ObjectKey } from './write-context.ts';

/** The newest durable state of an object, at least as new as the given resourceVersion. Throws 404 when there is none. */
export async function getObject(
  deps: RegistryDependencies,
  resource: Resource,
  key: ObjectKey,
  resourceVersion?: string,
): Promise<StoredObject> {
  checkNameParameter(key.name);
  const asked = parseStartVersion(resourceVersion) ?? 0;
  const current = deps.store.resourceVersion;
  if (asked > current) throw tooLargeResourceVersionError(String(asked), String(current));
  for (;;) {
    const object = deps.store.get(storageName(resource), storageKey(key));
    const settled = deps.store.settled();
    if (settled !== undefined && !(await settled)) continue;
    if (object === undefined) throw notFoundError(resource, key.name);
    return deps.served.view(resource, object);
  }
}
