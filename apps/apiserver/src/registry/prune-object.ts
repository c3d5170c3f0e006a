import type { JsonObject } from '@smalt/json';
import { isWrongType } from '@smalt/kubernetes-api';
import type { Resource } from '@smalt/resource';

import { metadataMisfit } from './metadata-misfit.ts';

/** An object without unknown fields; or what of it has a value of another type than its field. */
export type PrunedObject =
  | { readonly object: JsonObject; readonly unknownFields: readonly string[]; readonly misfit?: undefined }
  | { readonly misfit: string };

/** Drops what the schema of a resource does not know. */
export function pruneObject(resource: Resource, object: JsonObject): PrunedObject {
  const misfit = resource.isBuiltIn ? undefined : metadataMisfit(object);
  if (misfit !== undefined) return { misfit };
  try {
    return resource.strategy.prune(object);
  } catch (error) {
    if (!isWrongType(error) || !(error instanceof Error)) throw error;
    return { misfit: error.message };
  }
}
