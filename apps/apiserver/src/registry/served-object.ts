import { isSameJson, printJson } from '@smalt/json';
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
   * that was written in this very form is returned as it is.
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
    const apiVersion = apiVersionOf(resource);
    const converted = resource.isBuiltIn ? convertVersion(stored, apiVersion) : stored;
    const value = resource.strategy.default(resource.strategy.prune(inOrder(resource, converted)).object);
    if (stored['apiVersion'] === apiVersion && isSameJson(value, stored)) {
      object.shape ??= resource;
      return object;
    }
    const bytes = Buffer.from(printJson(inOrder(resource, value)));
    return new StoredObject({ key: object.key, resourceVersion: object.resourceVersion, bytes, shape: resource });
  }
}
