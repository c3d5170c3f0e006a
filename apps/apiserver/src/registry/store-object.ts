import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { badRequestError, internalServerError } from '../errors/make-status-error.ts';
import { StatusError } from '../errors/status-error.ts';
import { isStoreError } from '../store/store-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { RegistryDependencies } from './registry-dependencies.ts';
import { storageKey, storageName } from './storage-name.ts';
import { storedForm } from './stored-form.ts';
import type { ObjectKey } from './write-context.ts';

export interface ObjectWrite {
  readonly resource: Resource;
  readonly key: ObjectKey;
  /** What the decision rests on. */
  readonly expected: StoredObject | undefined;
  /** Undefined deletes. */
  readonly object: JsonObject | undefined;
}

/**
 * Writes an object and waits until that is durable. Undefined when the object has changed since the decision was made.
 * Throws a 500 when the disk does not take the write or the object is too large, and a 400 when it is nested too deep.
 */
export async function storeObject(deps: RegistryDependencies, write: ObjectWrite): Promise<StoredObject | undefined> {
  const { resource, expected } = write;
  try {
    const stored = await deps.store.write({
      resource: storageName(resource),
      key: storageKey(write.key),
      expected,
      ...(write.object === undefined
        ? { object: undefined }
        : storedForm(deps.served.forms, resource, write.object, expected)),
    });
    return stored === undefined ? undefined : deps.served.view(resource, stored);
  } catch (error) {
    if (!isStoreError(error)) throw error;
    // Kubernetes passes on what its storage says about the size, without a reason.
    if (error.code === 'too-large') {
      throw new StatusError({ code: 500, reason: 'Unknown', message: error.message }, { cause: error });
    }
    if (error.code === 'too-deep') throw badRequestError(error.message, { cause: error });
    throw internalServerError(error.message, { cause: error });
  }
}
