import { isJsonObject, type JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { namespaceFinalizersOf } from './namespace-lifecycle.ts';
import { nextGeneration } from './next-generation.ts';
import { metadataOf, metadataText, withField, withMetadata } from './object-metadata.ts';
import { policyOf } from './resource-policy.ts';
import type { Subresource } from './write-context.ts';

/** The object with everything put back that this endpoint may not change. */
export function prepareRevision(
  resource: Resource,
  subresource: Subresource,
  object: JsonObject,
  live: JsonObject,
): JsonObject {
  const own = withoutForeignChanges(resource, subresource, object, live);
  const kind = { resource, policy: policyOf(resource) };
  const generation = subresource === '' ? nextGeneration(kind, own, live) : metadataOf(live)['generation'];
  return withSystemFields(withMetadata(own, { generation }), live);
}

function withoutForeignChanges(
  resource: Resource,
  subresource: Subresource,
  object: JsonObject,
  live: JsonObject,
): JsonObject {
  switch (subresource) {
    case '':
      return allButStatus(resource, object, live);
    case 'status':
      return onlyStatus(resource, object, live);
    case 'finalize':
      return onlyFinalizers(object, live);
  }
}

function onlyFinalizers(object: JsonObject, live: JsonObject): JsonObject {
  const finalizers = namespaceFinalizersOf(object);
  const spec = isJsonObject(live['spec']) ? live['spec'] : {};
  return { ...live, spec: withField(spec, 'finalizers', finalizers.length === 0 ? undefined : finalizers) };
}

function allButStatus(resource: Resource, object: JsonObject, live: JsonObject): JsonObject {
  const own = resource.hasStatus ? withField(object, 'status', live['status']) : object;
  return resource.strategy.prepareForUpdate(own, live);
}

function onlyStatus(resource: Resource, object: JsonObject, live: JsonObject): JsonObject {
  const own = withField(live, 'status', object['status']);
  // Nodes report labels and annotations along with their status; custom resources may not.
  if (resource.isBuiltIn) return withField(own, 'metadata', withOwners(object, live));
  const { managedFields, resourceVersion } = metadataOf(object);
  return withMetadata(own, { managedFields, resourceVersion });
}

function withOwners(object: JsonObject, live: JsonObject): JsonObject {
  const { ownerReferences } = metadataOf(live);
  return metadataOf(withMetadata(object, { ownerReferences }));
}

function withSystemFields(object: JsonObject, live: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  const old = metadataOf(live);
  return withMetadata(object, {
    uid: metadataText(object, 'uid') === '' ? old['uid'] : metadata['uid'],
    creationTimestamp: old['creationTimestamp'] ?? metadata['creationTimestamp'],
    deletionTimestamp: old['deletionTimestamp'] ?? metadata['deletionTimestamp'],
    deletionGracePeriodSeconds: metadata['deletionGracePeriodSeconds'] ?? old['deletionGracePeriodSeconds'],
  });
}
