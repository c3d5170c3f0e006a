import { isSameJson, printJson, type JsonObject, type JsonValue } from '@smalt/json';
import { convertVersion } from '@smalt/kubernetes-api';
import type { Resource } from '@smalt/resource';

import { StoredObject } from '../store/stored-object.ts';
import { Forms } from './forms.ts';
import { apiVersionOf, inOrder } from './object-metadata.ts';

/** Shows stored objects in the form of one version of a resource, and remembers the result. */
export class ServedObjects {
  readonly forms: Forms = new Forms();
  readonly #views = new WeakMap<StoredObject, { readonly resource: Resource; readonly view: StoredObject }>();

  /**
   * The object with the apiVersion of the resource and with defaults that were declared after it was stored. An object
   * that was stored in this very form is returned as it is.
   */
  view(resource: Resource, object: StoredObject): StoredObject {
    if (object.shape === resource) return object;
    if (object.form !== undefined && object.form === this.forms.of(resource)) {
      object.shape = resource;
      return object;
    }
    const known = this.#views.get(object);
    if (known?.resource === resource) return known.view;
    const view = this.#makeView(resource, object);
    if (view !== object) this.#views.set(object, { resource, view });
    return view;
  }

  #makeView(resource: Resource, object: StoredObject): StoredObject {
    const stored = object.value;
    const value = presentForm(resource, stored);
    if (stored['apiVersion'] === apiVersionOf(resource) && isSameJson(value, stored)) {
      object.shape ??= resource;
      return object;
    }
    const bytes = Buffer.from(printJson(inOrder(resource, value)));
    return new StoredObject({ key: object.key, resourceVersion: object.resourceVersion, bytes, shape: resource });
  }
}

// As in Kubernetes, the version that an object was stored in says what is dropped and filled in, and the version that is
// asked for only what is dropped.
function presentForm(resource: Resource, stored: JsonObject): JsonObject {
  const apiVersion = apiVersionOf(resource);
  const writtenIn = otherVersion(resource, stored['apiVersion']);
  if (writtenIn !== undefined) return prunedIn(resource, wholeIn(writtenIn, stored));
  return wholeIn(resource, resource.isBuiltIn ? convertVersion(stored, apiVersion) : stored);
}

function otherVersion(resource: Resource, apiVersion: JsonValue | undefined): Resource | undefined {
  if (resource.versions === undefined || typeof apiVersion !== 'string') return undefined;
  return apiVersion === apiVersionOf(resource) ? undefined : resource.versions.all.get(apiVersion);
}

function wholeIn(resource: Resource, object: JsonObject): JsonObject {
  return resource.strategy.default(prunedIn(resource, object));
}

function prunedIn(resource: Resource, object: JsonObject): JsonObject {
  return resource.strategy.prune(inOrder(resource, object)).object;
}
