import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { internalServerError, notFoundError } from '../errors/make-status-error.ts';
import { storageKey, storageName } from '../registry/storage-name.ts';
import type { ObjectKey } from '../registry/write-context.ts';
import { isStoreError } from '../store/store-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { Store } from '../store/store.ts';

/** What becomes of an object that the server looked at. */
export type StoredChange =
  | { readonly kind: 'write'; readonly object: JsonObject }
  | { readonly kind: 'delete' }
  | { readonly kind: 'nothing' };

/**
 * Changes an object past the rules for its writers, for what only the server may do. `change` is asked again when
 * somebody else was faster; it may refuse by throwing. Throws 404 when there is no such object, and returns what was
 * written, undefined when nothing was.
 */
export async function changeStoredObject(
  store: Store,
  resource: Resource,
  key: ObjectKey,
  change: (object: JsonObject) => StoredChange,
): Promise<StoredObject | undefined> {
  const [storage, storedKey] = [storageName(resource), storageKey(key)];
  for (;;) {
    const expected = store.get(storage, storedKey);
    if (expected === undefined) throw notFoundError(resource, key.name);
    const decided = change(expected.value);
    if (decided.kind === 'nothing') return undefined;
    const object = decided.kind === 'write' ? decided.object : undefined;
    try {
      const written = store.write({ resource: storage, key: storedKey, expected, object, shape: resource });
      if (written === undefined) continue;
      return await written;
    } catch (error) {
      if (!isStoreError(error)) throw error;
      throw internalServerError(error.message, { cause: error });
    }
  }
}
