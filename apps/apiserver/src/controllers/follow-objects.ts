import type { Resource } from '@smalt/resource';

import type { Catalog } from '../catalog/catalog.ts';
import { storageName } from '../registry/storage-name.ts';
import type { StoreEvent } from '../store/store-event.ts';
import type { Store } from '../store/store.ts';

/** What happened to objects of one kind. */
export type ObjectsListener = (storage: string, events: readonly StoreEvent[]) => void;

/** Tells of the durable changes to the objects of all kinds that are served, also of kinds that come later. */
export class ObjectsFollower implements Disposable {
  readonly #store: Store;
  readonly #listener: ObjectsListener;
  readonly #subscriptions = new Map<string, () => void>();
  readonly #unsubscribe: () => void;

  constructor(store: Store, catalog: Catalog, listener: ObjectsListener) {
    this.#store = store;
    this.#listener = listener;
    this.#follow(catalog.resources);
    // A kind that is no longer served may still have objects, so what was subscribed to stays subscribed to.
    this.#unsubscribe = catalog.subscribe(({ added }) => this.#follow(added));
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    for (const unsubscribe of this.#subscriptions.values()) unsubscribe();
    this.#subscriptions.clear();
  }

  #follow(resources: readonly Resource[]): void {
    for (const resource of resources) {
      const storage = storageName(resource);
      if (this.#subscriptions.has(storage) || !resource.verbs.includes('list')) continue;
      this.#subscriptions.set(
        storage,
        this.#store.subscribe(storage, (events) => this.#listener(storage, events)),
      );
    }
  }
}
