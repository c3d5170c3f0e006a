import { randomInt, randomUUID } from 'node:crypto';

import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import type { Store } from '../store/store.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { Admission } from './admission.ts';
import { createObject } from './create-object.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteObject, type DeleteResult } from './delete-object.ts';
import { FieldOwners } from './field-owners.ts';
import { getObject } from './get-object.ts';
import { listObjects, type ListOptions, type ListPage } from './list-objects.ts';
import { ObjectEvents } from './object-events.ts';
import { patchObject } from './patch-object.ts';
import type { Patch } from './patch.ts';
import type { RevisionResult } from './revise-object.ts';
import { changeScale, getScale, type ScaleRequest } from './scale-object.ts';
import { ServedObjects } from './served-object.ts';
import { updateObject } from './update-object.ts';
import {
  watchObjects,
  type EventSink,
  type WatchDependencies,
  type WatchOptions,
  type WatchSubscription,
} from './watch-objects.ts';
import type { DeleteOptions, ObjectKey, Subresource, WriteContext } from './write-context.ts';

export interface RegistryOptions {
  readonly store: Store;
  readonly admission: Admission;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Where generated names come from: a whole number from 0 up to, not including, the given one. */
  readonly randomInt?: (below: number) => number;
}

/** What can be done with the objects of a resource, whatever way it is asked for. Refusals are StatusErrors. */
export class Registry {
  readonly #deps: WatchDependencies;

  constructor(options: RegistryOptions) {
    const served = new ServedObjects();
    this.#deps = {
      store: options.store,
      admission: options.admission,
      now: options.now,
      served,
      owners: new FieldOwners(),
      events: new ObjectEvents(served),
      randomUuid: randomUUID,
      randomInt: options.randomInt ?? ((below) => randomInt(below)),
    };
  }

  /** The newest state of an object that a crash cannot undo. */
  get(resource: Resource, key: ObjectKey, resourceVersion?: string): Promise<StoredObject> {
    return this.#loaded(resource, () => getObject(this.#deps, resource, key, resourceVersion));
  }

  list(resource: Resource, options: ListOptions): Promise<ListPage> {
    return this.#loaded(resource, () => listObjects(this.#deps, resource, options));
  }

  /** Events go to the sink until the subscription is closed; the first ones stand in the subscription. */
  watch(resource: Resource, options: WatchOptions, sink: EventSink): Promise<WatchSubscription> {
    return this.#loaded(resource, () => watchObjects(this.#deps, resource, options, sink));
  }

  create(resource: Resource, namespace: string, object: JsonObject, context: WriteContext): Promise<StoredObject> {
    return this.#decide(resource, () => createObject(this.#deps, { resource, namespace, object, context }));
  }

  update(
    resource: Resource,
    key: ObjectKey,
    object: JsonObject,
    options: { readonly context: WriteContext; readonly subresource: Subresource },
  ): Promise<RevisionResult> {
    return this.#decide(resource, () => updateObject(this.#deps, { resource, key, object, ...options }));
  }

  patch(
    resource: Resource,
    key: ObjectKey,
    patch: Patch,
    options: { readonly context: WriteContext; readonly subresource: Subresource },
  ): Promise<RevisionResult> {
    return this.#decide(resource, () => patchObject(this.#deps, { resource, key, patch, ...options }));
  }

  getScale(resource: Resource, key: ObjectKey): Promise<JsonObject> {
    return this.#loaded(resource, () => getScale(this.#deps, resource, key));
  }

  /** Replaces or patches the Scale of an object, and returns the new one. */
  changeScale(
    resource: Resource,
    key: ObjectKey,
    change: ScaleRequest['change'],
    context: WriteContext,
  ): Promise<JsonObject> {
    return this.#decide(resource, () => changeScale(this.#deps, { resource, key, change, context }));
  }

  delete(resource: Resource, key: ObjectKey, options: DeleteOptions, context: WriteContext): Promise<DeleteResult> {
    return this.#decide(resource, () => deleteObject(this.#deps, { resource, key, options, context }));
  }

  deleteCollection(
    resource: Resource,
    list: ListOptions,
    options: DeleteOptions,
    context: WriteContext,
  ): Promise<ListPage> {
    return this.#decide(resource, () => deleteCollection(this.#deps, { resource, list, options, context }));
  }

  // A refusal may rest on writes of others that are not durable yet. When those are undone, it has to be decided anew.
  async #decide<T>(resource: Resource, write: () => Promise<T>): Promise<T> {
    try {
      return await this.#loaded(resource, write);
    } catch (error) {
      const settled = this.#deps.store.settled();
      if (settled === undefined || (await settled)) throw error;
      return write();
    }
  }

  // Only few kinds have something to load, and only once: nobody else waits.
  #loaded<T>(resource: Resource, work: () => Promise<T>): Promise<T> {
    const loading = resource.load?.();
    return loading === undefined ? work() : loading.then(work);
  }
}
