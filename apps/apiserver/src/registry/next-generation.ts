import { isSameJson, type JsonObject, type JsonValue } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { metadataNumber } from './object-metadata.ts';
import type { ResourcePolicy } from './resource-policy.ts';

/** The generation of an object after an update: one more when what is wanted has changed, else the same. */
export function nextGeneration(
  kind: { readonly resource: Resource; readonly policy: ResourcePolicy },
  object: JsonObject,
  old: JsonObject,
): number | undefined {
  const generation = metadataNumber(old, 'generation');
  switch (kind.policy.generation) {
    case 'none':
    case 'constant':
      return generation;
    case 'counts-spec':
      return isSameJson(object['spec'], old['spec']) ? generation : (generation ?? 0) + 1;
    case 'counts-all':
      return isSameJson(wanted(object, kind.resource), wanted(old, kind.resource)) ? generation : (generation ?? 0) + 1;
  }
}

function wanted(object: JsonObject, resource: Resource): JsonValue {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...rest } = object;
  if (!resource.hasStatus) return rest;
  const { status: _status, ...withoutStatus } = rest;
  return withoutStatus;
}
