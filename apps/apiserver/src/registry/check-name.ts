import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { badRequestError } from '../errors/make-status-error.ts';
import { metadataText } from './object-metadata.ts';
import type { ObjectKey } from './write-context.ts';

/** Refuses an object with another name or namespace than the request is about. */
export function checkName(resource: Resource, key: ObjectKey, object: JsonObject): void {
  const name = metadataText(object, 'name');
  const namespace = metadataText(object, 'namespace');
  if (name === '') {
    throw badRequestError(
      `the name of the object (${key.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (name !== key.name) {
    throw badRequestError(`the name of the object (${name}) does not match the name on the URL (${key.name})`);
  }
  if (!resource.isNamespaced || namespace === '' || namespace === key.namespace) return;
  throw badRequestError('the namespace of the provided object does not match the namespace sent on the request');
}
