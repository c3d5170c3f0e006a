import { isJsonArray, isJsonObject, jsonField, type JsonObject, type JsonValue } from '@smalt/json';

import { type MutableObject } from './mutable-object.ts';

const INDEX = /^[+-]?\d+$/;

/** What a path of a JSON patch leads to: the list or object that holds it, and the key in there. */
export interface Location {
  readonly holder: JsonValue[] | MutableObject;
  readonly key: string;
}

/** A document that a JSON patch changes step by step. The original stays as it was; only changed parts are copied. */
export class JsonDocument {
  #root: JsonValue[] | MutableObject;
  readonly #owned = new WeakSet<object>();

  constructor(root: JsonObject) {
    this.#root = this.#copy(root);
  }

  get root(): JsonValue {
    return this.#root;
  }

  replaceRoot(value: JsonObject | readonly JsonValue[]): void {
    this.#root = this.#copy(value);
  }

  /** The holder of the path's last step, ready to be changed; undefined when the path leads nowhere. */
  locate(path: string): Location | undefined {
    const steps = path.split('/');
    if (steps.length < 2) return undefined;
    let holder = this.#root;
    for (const step of steps.slice(1, -1)) {
      const next = this.#descend(holder, decodeStep(step));
      if (next === undefined) return undefined;
      holder = next;
    }
    return { holder, key: decodeStep(steps.at(-1) ?? '') };
  }

  #descend(holder: JsonValue[] | MutableObject, key: string): JsonValue[] | MutableObject | undefined {
    if (!isMutableList(holder)) {
      const value = this.#own(jsonField(holder, key));
      if (value !== undefined) holder[key] = value;
      return value;
    }
    const index = indexOf(holder, key);
    if (index === undefined) return undefined;
    const value = this.#own(holder[index]);
    if (value !== undefined) holder[index] = value;
    return value;
  }

  #own(value: JsonValue | undefined): JsonValue[] | MutableObject | undefined {
    if (!isJsonArray(value) && !isJsonObject(value)) return undefined;
    return isOwned(this.#owned, value) ? value : this.#copy(value);
  }

  #copy(value: JsonObject | readonly JsonValue[]): JsonValue[] | MutableObject {
    const copy = isJsonArray(value) ? [...value] : { ...value };
    this.#owned.add(copy);
    return copy;
  }
}

export function isMutableList(holder: JsonValue[] | MutableObject): holder is JsonValue[] {
  return Array.isArray(holder);
}

/** The index that a key means within a list, counted from the end when negative; undefined when it is outside. */
export function indexOf(list: readonly JsonValue[], key: string): number | undefined {
  if (!INDEX.test(key)) return undefined;
  const index = Number(key);
  const position = index < 0 ? index + list.length : index;
  return position >= 0 && position < list.length ? position : undefined;
}

export function isIndex(key: string): boolean {
  return INDEX.test(key);
}

// What this document has copied is its own to change.
function isOwned(owned: WeakSet<object>, value: object): value is JsonValue[] | MutableObject {
  return owned.has(value);
}

function decodeStep(step: string): string {
  return step.includes('~') ? step.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~')) : step;
}
