import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { badRequestError } from '../errors/make-status-error.ts';
import { metadataText, withMetadata } from './object-metadata.ts';

/** The object in the namespace of the request. Throws 400 when it says that it belongs into another one. */
export function placeInNamespace(resource: Resource, namespace: string, object: JsonObject): JsonObject {
  const own = metadataText(object, 'namespace');
  const expected = resource.isNamespaced ? namespace : '';
  if (own === expected) return object;
  if (own === '') return withMetadata(object, { namespace: expected });
  if (expected === '') return withMetadata(object, { namespace: undefined });
  throw badRequestError('the namespace of the provided object does not match the namespace sent on the request');
}
