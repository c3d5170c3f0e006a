import type { JsonObject } from '@smalt/json';
import { isWrongType } from '@smalt/kubernetes-api';
import type { Resource } from '@smalt/resource';

import { metadataMisfit } from './metadata-misfit.ts';
import { metadataOf, withMetadata } from './object-metadata.ts';

/** An object without unknown fields; or what of it has a value of another type than its field. */
export type PrunedObject =
  | { readonly object: JsonObject; readonly unknownFields: readonly string[]; readonly misfit?: undefined }
  | { readonly misfit: string };

/** Drops what the schema of a resource does not know. */
export function pruneObject(resource: Resource, object: JsonObject): PrunedObject {
  const misfit = resource.isBuiltIn ? undefined : metadataMisfit(object);
  if (misfit !== undefined) return { misfit };
  try {
    const pruned = resource.strategy.prune(object);
    return hasClearedOwners(object)
      ? { ...pruned, object: withMetadata(pruned.object, { managedFields: [{}] }) }
      : pruned;
  } catch (error) {
    if (!isWrongType(error) || !(error instanceof Error)) throw error;
    return { misfit: error.message };
  }
}

// An empty list is as good as none for every field but this: it asks to forget who owns what. A list with an empty
// entry asks the same, and is not lost on the way.
function hasClearedOwners(object: JsonObject): boolean {
  const { managedFields } = metadataOf(object);
  return Array.isArray(managedFields) && managedFields.length === 0;
}
