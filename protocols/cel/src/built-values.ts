import type { JsonObject, JsonValue } from '@smalt/json';

import { CelFailure, CelList, CelMap, CelUint, typeNameOf, type CelOutcome, type CelValue } from './cel-value.ts';
import { toJson } from './to-json.ts';

/** A list that an expression built. */
export class ValueList extends CelList {
  readonly #elements: CelValue[];
  #isOpen = false;

  constructor(elements: readonly CelValue[]) {
    super();
    this.#elements = [...elements];
  }

  /** An empty list that a comprehension collects into, until it is closed. No one else sees it before that. */
  static open(): ValueList {
    const list = new ValueList([]);
    list.#isOpen = true;
    return list;
  }

  get size(): number {
    return this.#elements.length;
  }

  at(index: number): CelOutcome {
    const element = this.#elements[index];
    return element === undefined ? new CelFailure(`index out of bounds: ${index}`) : element;
  }

  get elements(): readonly CelValue[] {
    return this.#elements;
  }

  /** Adds elements in place and says so, or says that the list is closed. */
  append(elements: readonly CelValue[]): boolean {
    if (!this.#isOpen) return false;
    for (const element of elements) this.#elements.push(element);
    return true;
  }

  close(): void {
    this.#isOpen = false;
  }

  toJson(): JsonValue {
    return this.#elements.map(toJson);
  }
}

type KeyText = string | bigint | boolean;

/** A map that an expression built. Keys are equal when their numbers are, whatever their types. */
export class ValueMap extends CelMap {
  readonly #entries: Map<KeyText, readonly [CelValue, CelValue]>;
  #isOpen = false;

  private constructor(entries: Map<KeyText, readonly [CelValue, CelValue]>) {
    super();
    this.#entries = entries;
  }

  /** Fails on keys that no map can have, and on keys that stand twice. */
  static of(entries: readonly (readonly [CelValue, CelValue])[]): ValueMap | CelFailure {
    const map = new ValueMap(new Map());
    for (const [key, value] of entries) {
      const failure = map.#add(key, value);
      if (failure !== undefined) return failure;
    }
    return map;
  }

  /** An empty map that a comprehension collects into, until it is closed. */
  static open(): ValueMap {
    const map = new ValueMap(new Map());
    map.#isOpen = true;
    return map;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: CelValue): CelOutcome | undefined {
    const text = keyText(key);
    return text === undefined ? undefined : this.#entries.get(text)?.[1];
  }

  keys(): readonly CelValue[] {
    return [...this.#entries.values()].map(([key]) => key);
  }

  /** The map with an entry more; the map itself while it is open. */
  with(key: CelValue, value: CelValue): ValueMap | CelFailure {
    const map = this.#isOpen ? this : new ValueMap(new Map(this.#entries));
    return map.#add(key, value) ?? map;
  }

  close(): void {
    this.#isOpen = false;
  }

  toJson(): JsonValue {
    const entries = [...this.#entries.values()].map(([key, value]): [string, JsonValue] => [
      printKey(key),
      toJson(value),
    ]);
    const object: JsonObject = Object.fromEntries(entries);
    return object;
  }

  #add(key: CelValue, value: CelValue): CelFailure | undefined {
    const text = keyText(key);
    if (text === undefined || typeof key === 'number') return new CelFailure('unsupported key type');
    if (this.#entries.has(text)) return new CelFailure(`insert failed: key ${printKey(key)} already exists`);
    this.#entries.set(text, [key, value]);
    return undefined;
  }
}

function keyText(key: CelValue): KeyText | undefined {
  if (typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean') return key;
  if (key instanceof CelUint) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : undefined;
}

/** A key or an index as messages show it. */
export function printKey(key: CelValue): string {
  if (key instanceof CelUint) return key.value.toString();
  return key === null || typeof key !== 'object' ? String(key) : typeNameOf(key);
}
