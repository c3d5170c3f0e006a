import type { KubernetesObject } from '@smalt/kubernetes';

import { changedKeys } from './apply-messages.ts';
import { NOTHING_KNOWN, type Followed } from './followed.ts';

/** What is known of one query, for those who want all of it and those who want one object of it. */
export class Collection {
  readonly #onUse: (isUsed: boolean) => void;
  readonly #listeners = new Set<() => void>();
  readonly #listenersByKey = new Map<string, Set<() => void>>();
  #followed: Followed = NOTHING_KNOWN;
  #users = 0;

  /** Is told when the first one begins to listen, and when the last one has stopped. */
  constructor(onUse: (isUsed: boolean) => void) {
    this.#onUse = onUse;
  }

  readonly followed = (): Followed => this.#followed;

  one(key: string): KubernetesObject | undefined {
    return this.#followed.byKey.get(key);
  }

  /** Calls back after each change; the same listener is called once however much has changed. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return this.#use(() => this.#listeners.delete(listener));
  };

  /** Calls back when the object of that key is another one, or none, or the state of the whole has changed. */
  subscribeOne(key: string, listener: () => void): () => void {
    const listeners = this.#listenersByKey.get(key) ?? new Set();
    this.#listenersByKey.set(key, listeners.add(listener));
    return this.#use(() => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listenersByKey.get(key) === listeners) this.#listenersByKey.delete(key);
    });
  }

  replace(followed: Followed): void {
    const before = this.#followed;
    this.#followed = followed;
    for (const listener of this.#listeners) listener();
    if (this.#listenersByKey.size === 0) return;
    const keys = before.state === followed.state ? changedKeys(before, followed) : [...this.#listenersByKey.keys()];
    for (const key of keys) this.#listenersByKey.get(key)?.forEach((listener) => listener());
  }

  #use(stop: () => void): () => void {
    this.#users += 1;
    if (this.#users === 1) this.#onUse(true);
    let isUsed = true;
    return () => {
      if (!isUsed) return;
      isUsed = false;
      stop();
      this.#users -= 1;
      if (this.#users === 0) this.#onUse(false);
    };
  }
}
