import { printJson, type JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { StoredObject } from '../store/stored-object.ts';
import { inOrder, metadataText } from './object-metadata.ts';
import type { ServedObjects } from './served-object.ts';
import { storageKey } from './storage-name.ts';
import { storedForm, storedVersionOf } from './stored-form.ts';
import type { ObjectKey } from './write-context.ts';

/** An object as it was asked for, for the answer to a write after which nothing of it is stored. */
export function unstoredObject(resource: Resource, key: ObjectKey, object: JsonObject): StoredObject {
  const value = inOrder(resource, object);
  return new StoredObject({
    key: storageKey(key),
    resourceVersion: Number(metadataText(object, 'resourceVersion')),
    bytes: Buffer.from(printJson(value)),
    value,
    shape: resource,
  });
}

/** An object as it would be there if it were stored, for the answer to a dry run. */
export function triedObject(
  served: ServedObjects,
  resource: Resource,
  key: ObjectKey,
  object: JsonObject,
): StoredObject {
  const stored = storedVersionOf(resource);
  if (stored === resource) return unstoredObject(resource, key, object);
  const { object: value, shape } = storedForm(served.forms, resource, object, undefined);
  const { resourceVersion, bytes } = unstoredObject(stored, key, value);
  const tried = new StoredObject({ key: storageKey(key), resourceVersion, bytes, value, ...(shape && { shape }) });
  return served.view(resource, tried);
}
