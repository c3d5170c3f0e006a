import { isSameJson, type JsonObject } from '@smalt/json';
import { convertVersion, storageVersionOf } from '@smalt/kubernetes-api';
import type { Resource } from '@smalt/resource';

import type { StoredObject } from '../store/stored-object.ts';
import type { Forms } from './forms.ts';
import { apiVersionOf, inOrder } from './object-metadata.ts';

/** An object as it goes into the store, and what its form is called there. */
export interface StoredForm {
  readonly object: JsonObject;
  readonly shape?: object;
  readonly form?: number | undefined;
}

/** The version of a kind in which its objects are stored. */
export function storedVersionOf(resource: Resource): Resource {
  const { versions } = resource;
  return versions?.all.get(versions.stored) ?? resource;
}

/** The object in the version that its kind is stored in; `expected` is what is replaced. */
export function storedForm(
  forms: Forms,
  resource: Resource,
  object: JsonObject,
  expected: StoredObject | undefined,
): StoredForm {
  const ordered = inOrder(resource, object);
  if (!resource.isBuiltIn) return customForm(forms, resource, ordered);
  // Some built-in kinds are served by two groups or versions with different fields, and stored in one of them.
  const version = storageVersionOf(apiVersionOf(resource), resource.kind);
  if (version === undefined) return { object: ordered, shape: resource };
  return { object: convertVersion(ordered, version, expected?.value) };
}

/**
 * Whether an object is kept as it would be if it were written now. One that was stored in another version, or before its
 * schema changed, is not: as in Kubernetes, a write that changes nothing brings it into its present form.
 */
export function isInStoredForm(forms: Forms, resource: Resource, stored: StoredObject, object: JsonObject): boolean {
  if (resource.isBuiltIn) return true;
  const isOwnForm = stored.shape === resource || stored.form === forms.of(resource);
  if (isOwnForm && storedVersionOf(resource) === resource) return true;
  return isSameJson(customForm(forms, resource, inOrder(resource, object)).object, stored.value);
}

// Kubernetes drops what the stored version does not know, and fills in its defaults only for who reads.
function customForm(forms: Forms, resource: Resource, object: JsonObject): StoredForm {
  const stored = storedVersionOf(resource);
  if (stored === resource) return { object, shape: resource, form: forms.of(resource) };
  const pruned = stored.strategy.prune(inOrder(stored, object)).object;
  const isWhole = isSameJson(stored.strategy.default(pruned), pruned);
  return isWhole ? { object: pruned, shape: stored, form: forms.of(stored) } : { object: pruned };
}
