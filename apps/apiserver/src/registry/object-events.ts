import { printJson } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import type { StoreEvent } from '../store/store-event.ts';
import { StoredObject } from '../store/stored-object.ts';
import { withMetadata } from './object-metadata.ts';
import type { ObjectSelector } from './object-selector.ts';
import type { ServedObjects } from './served-object.ts';

/** A change as one watcher sees it. All watchers that see the same get the very same event. */
export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: StoredObject;
}

/** Which objects a watcher sees. */
export interface WatchScope {
  readonly resource: Resource;
  /** What keys start with, such as `default/`; empty for all. */
  readonly keyPrefix: string;
  readonly selector: ObjectSelector;
}

interface Shared {
  readonly resource: Resource;
  readonly event: ObjectEvent;
}

/** Turns what happened in the store into what watchers see, once for all of them. */
export class ObjectEvents {
  readonly #served: ServedObjects;
  readonly #shared = new WeakMap<StoreEvent, Shared>();
  readonly #departures = new WeakMap<StoreEvent, Shared>();

  constructor(served: ServedObjects) {
    this.#served = served;
  }

  /** What the watcher sees of a change; undefined when it is none of its business. */
  seen(scope: WatchScope, event: StoreEvent): ObjectEvent | undefined {
    if (scope.keyPrefix !== '' && !event.object.key.startsWith(scope.keyPrefix)) return undefined;
    if (scope.selector.isEmpty) return this.#same(scope.resource, event);
    return this.#selected(scope, event);
  }

  #selected(scope: WatchScope, event: StoreEvent): ObjectEvent | undefined {
    const { resource, selector } = scope;
    const matches = selector.matches(this.#served.view(resource, event.object));
    const { previous } = event;
    switch (event.type) {
      case 'ADDED':
      case 'DELETED':
        return matches ? this.#same(resource, event) : undefined;
      case 'MODIFIED': {
        const matched = previous !== undefined && selector.matches(this.#served.view(resource, previous));
        if (matches && matched) return this.#same(resource, event);
        if (matches) return { type: 'ADDED', object: this.#served.view(resource, event.object) };
        return matched ? this.#departure(resource, event, previous) : undefined;
      }
    }
  }

  #same(resource: Resource, event: StoreEvent): ObjectEvent {
    const known = this.#shared.get(event);
    if (known?.resource === resource) return known.event;
    const made = { type: event.type, object: this.#served.view(resource, event.object) };
    this.#shared.set(event, { resource, event: made });
    return made;
  }

  // To a watcher that no longer sees the object it is gone: the last state it saw, at the time it left.
  #departure(resource: Resource, event: StoreEvent, previous: StoredObject): ObjectEvent {
    const known = this.#departures.get(event);
    if (known?.resource === resource) return known.event;
    const { key, resourceVersion } = event.object;
    const seen = this.#served.view(resource, previous).value;
    const value = withMetadata(seen, { resourceVersion: String(resourceVersion) });
    const bytes = Buffer.from(printJson(value));
    const made: ObjectEvent = {
      type: 'DELETED',
      object: new StoredObject({ key, resourceVersion, bytes, shape: resource }),
    };
    this.#departures.set(event, { resource, event: made });
    return made;
  }
}
