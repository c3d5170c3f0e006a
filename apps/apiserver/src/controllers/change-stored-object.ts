import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { internalServerError, notFoundError } from '../errors/make-status-error.ts';
import { storageKey, storageName } from '../registry/storage-name.ts';
import type { ObjectKey } from '../registry/write-context.ts';
import { isStoreError } from '../store/store-error.ts';
import type { Store } from '../store/store.ts';

/**
 * Changes an object past the rules for its writers, for what only the server may do. `change` is asked again when
 * somebody else was faster; it may refuse by throwing. Throws 404 when there is no such object.
 */
export async function changeStoredObject(
  store: Store,
  resource: Resource,
  key: ObjectKey,
  change: (object: JsonObject) => JsonObject | undefined,
): Promise<void> {
  const [storage, storedKey] = [storageName(resource), storageKey(key)];
  for (;;) {
    const expected = store.get(storage, storedKey);
    if (expected === undefined) throw notFoundError(resource, key.name);
    const object = change(expected.value);
    try {
      const written = store.write({ resource: storage, key: storedKey, expected, object, shape: resource });
      if (written === undefined) continue;
      await written;
      return;
    } catch (error) {
      if (!isStoreError(error)) throw error;
      throw internalServerError(error.message, { cause: error });
    }
  }
}
