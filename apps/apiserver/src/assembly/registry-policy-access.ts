import type { Resource } from '@smalt/resource';

import type { PolicyAccess } from '../authorization/policy-access.ts';
import { RBAC_GROUP } from '../authorization/policy-binding.ts';
import type { PolicyPlural } from '../authorization/policy-index.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { metadataText } from '../registry/object-metadata.ts';
import type { Registry } from '../registry/registry.ts';
import { storageKey, storageName } from '../registry/storage-name.ts';
import type { Store } from '../store/store.ts';
import { systemContext } from './system-context.ts';

/** Lets the server read and write its own roles and bindings through the registry, as everybody does. */
export function registryPolicyAccess(catalog: Catalog, registry: Registry, store: Store): PolicyAccess {
  const resourceOf = (plural: PolicyPlural): Resource => {
    const resource = catalog.find(RBAC_GROUP, 'v1', plural);
    if (resource === undefined) throw new TypeError(`${plural} are not served`);
    return resource;
  };
  return {
    get: (plural, namespace, name) =>
      store.get(storageName(resourceOf(plural)), storageKey({ namespace, name }))?.value,
    create: async (plural, namespace, object, signal) => {
      await registry.create(resourceOf(plural), namespace, object, systemContext(signal));
    },
    update: async (plural, namespace, object, signal) => {
      const key = { namespace, name: metadataText(object, 'name') };
      await registry.update(resourceOf(plural), key, object, { context: systemContext(signal), subresource: '' });
    },
    delete: async (plural, namespace, name, signal) => {
      await registry.delete(resourceOf(plural), { namespace, name }, {}, systemContext(signal));
    },
  };
}
