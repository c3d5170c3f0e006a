import type { JsonObject } from '@smalt/json';

import type { Store } from '../store/store.ts';

/** What is made of all objects of a kind, in the order of their names; made again after one of them has changed. */
export class FollowedList<T> implements Disposable {
  readonly #store: Store;
  readonly #storage: string;
  readonly #make: (object: JsonObject) => readonly T[];
  readonly #unsubscribe: () => void;
  #items: readonly T[] | undefined;

  constructor(store: Store, storage: string, make: (object: JsonObject) => readonly T[]) {
    this.#store = store;
    this.#storage = storage;
    this.#make = make;
    this.#unsubscribe = store.subscribe(storage, () => {
      this.#items = undefined;
    });
  }

  get items(): readonly T[] {
    this.#items ??= this.#store.range(this.#storage).flatMap(({ value }) => this.#make(value));
    return this.#items;
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
  }
}
