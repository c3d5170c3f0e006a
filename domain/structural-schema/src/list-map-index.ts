import { isJsonObject, type JsonValue } from '@smalt/json';
import { goJson } from '@smalt/resource';

/** Finds the item of a list-map that has the same keys as another. */
export class ListMapIndex {
  readonly #keys: readonly string[];
  readonly #items = new Map<string, JsonValue>();

  constructor(items: readonly JsonValue[], keys: readonly string[]) {
    this.#keys = keys;
    for (const item of items) {
      const key = this.#keyOf(item);
      // When a key stands twice, the first item is the one that counts.
      if (key !== undefined && !this.#items.has(key)) this.#items.set(key, item);
    }
  }

  find(item: JsonValue | undefined): JsonValue | undefined {
    const key = this.#keyOf(item);
    return key === undefined ? undefined : this.#items.get(key);
  }

  #keyOf(item: JsonValue | undefined): string | undefined {
    if (!isJsonObject(item)) return undefined;
    let key = '';
    for (const name of this.#keys) {
      const part = Object.hasOwn(item, name) ? item[name] : undefined;
      key += `${typeof part}:${typeof part === 'object' ? goJson(part) : String(part)}\u0000`;
    }
    return key;
  }
}
