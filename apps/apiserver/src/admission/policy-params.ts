import { isJsonObject, type JsonObject } from '@smalt/json';
import { selectorMatches } from '@smalt/kubernetes-api';
import type { Resource } from '@smalt/resource';

import type { Catalog } from '../catalog/catalog.ts';
import { objectAt, textAt } from '../identity/object-fields.ts';
import type { ServedObjects } from '../registry/served-object.ts';
import { storageName } from '../registry/storage-name.ts';
import type { Store } from '../store/store.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { Policy, PolicyBinding } from './policy.ts';

/** The parameters with which a policy is asked, null standing for none at all; or why they cannot be had. */
export type PolicyParams =
  | { readonly kind: 'params'; readonly params: readonly (JsonObject | null)[] }
  | { readonly kind: 'error'; readonly message: string };

interface ParamsDependencies {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly served: ServedObjects;
}

/** Looks up the parameters that a binding has for its policy. */
export function paramsOf(
  deps: ParamsDependencies,
  policy: Policy,
  binding: PolicyBinding,
  namespace: string,
): PolicyParams {
  const { paramKind } = policy;
  const { paramRef } = binding;
  if (paramKind === undefined || paramRef === undefined) return { kind: 'params', params: [null] };
  const { apiVersion, kind } = paramKind;
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const resource = deps.catalog.findKind(group, apiVersion.slice(slash + 1), kind);
  if (resource === undefined)
    return failure(`failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kind}'`);
  const given = textAt(paramRef, 'namespace');
  if (!resource.isNamespaced && given !== '') {
    return failure('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const place = given === '' ? namespace : given;
  if (resource.isNamespaced && place === '') {
    return failure('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  }
  const params = find(deps, resource, resource.isNamespaced ? place : '', paramRef);
  if (params.length > 0 || textAt(paramRef, 'parameterNotFoundAction') !== 'Deny') return { kind: 'params', params };
  return failure('no params found for policy binding with `Deny` parameterNotFoundAction');
}

function find(
  { store, served }: ParamsDependencies,
  resource: Resource,
  namespace: string,
  paramRef: JsonObject,
): readonly JsonObject[] {
  const storage = storageName(resource);
  // A custom resource may be stored in another version than the one that the policy is written for.
  const shown = (object: StoredObject): JsonObject =>
    resource.isBuiltIn ? object.value : served.view(resource, object).value;
  const name = textAt(paramRef, 'name');
  if (name !== '') {
    const found = store.get(storage, `${namespace}/${name}`);
    return found === undefined ? [] : [shown(found)];
  }
  if (!isJsonObject(paramRef['selector'])) return [];
  const selector = objectAt(paramRef, 'selector');
  return store
    .range(storage, `${namespace}/`, `${namespace}0`)
    .filter((object) => selectorMatches(selector, object.labels))
    .map(shown);
}

function failure(message: string): PolicyParams {
  return { kind: 'error', message };
}
