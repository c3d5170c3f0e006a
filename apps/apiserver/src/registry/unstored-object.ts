import { printJson, type JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { StoredObject } from '../store/stored-object.ts';
import { inOrder, metadataText } from './object-metadata.ts';
import { storageKey } from './storage-name.ts';
import type { ObjectKey } from './write-context.ts';

/** An object as it would be stored, for the answer to a dry run. */
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
