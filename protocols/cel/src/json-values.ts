import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '@smalt/json';

import { ValueList } from './built-values.ts';
import {
  areEqualOutcomes,
  CelFailure,
  CelList,
  CelMap,
  CelOpaque,
  type AreEqual,
  type CelOutcome,
  type CelValue,
} from './cel-value.ts';
import { escapeName, unescapeName } from './escape-name.ts';
import { toJson } from './to-json.ts';

/** Makes a value from JSON. */
export type Convert = (json: JsonValue) => CelOutcome;

/** A list in JSON, read where it stands. */
export class JsonList extends CelList {
  readonly json: readonly JsonValue[];
  readonly convert: Convert;
  override readonly hasSchema: boolean = true;

  constructor(json: readonly JsonValue[], convert: Convert) {
    super();
    this.json = json;
    this.convert = convert;
  }

  get size(): number {
    return this.json.length;
  }

  at(index: number): CelOutcome {
    const element = this.json[index];
    return element === undefined ? new CelFailure(`index out of bounds: ${index}`) : this.convert(element);
  }

  toJson(): JsonValue {
    return this.json;
  }

  /** The list with the elements of the other behind its own. */
  plus(other: CelList): CelOutcome {
    // What the other holds may not be what this converts, so both go into a built list.
    const elements: CelValue[] = [];
    for (const list of [this, other]) {
      for (let index = 0; index < list.size; index++) {
        const element = list.at(index);
        if (element instanceof CelFailure) return element;
        elements.push(element);
      }
    }
    return new ValueList(elements);
  }
}

/** A list whose order does not matter: `x-kubernetes-list-type: set`. */
export class JsonSet extends JsonList {
  override equals(other: CelList): boolean {
    const known = new Set(this.json.map(scalarKey));
    return rawElements(other).every((element) => known.has(scalarKey(element)));
  }

  override plus(other: CelList): CelOutcome {
    const known = new Set(this.json.map(scalarKey));
    const added = rawElements(other).filter((element) => {
      const key = scalarKey(element);
      return !known.has(key) && known.add(key) !== undefined;
    });
    return new JsonSet([...this.json, ...added], this.convert);
  }
}

/** A list of objects that are told apart by some of their fields: `x-kubernetes-list-type: map`. */
export class JsonListMap extends JsonList {
  readonly #keys: readonly string[];

  constructor(json: readonly JsonValue[], convert: Convert, keys: readonly string[]) {
    super(json, convert);
    this.#keys = keys;
  }

  override equals(other: CelList, areEqual: AreEqual): boolean | CelFailure {
    const known = new Map(this.json.map((element) => [this.#keyOf(element), element]));
    for (let index = 0; index < other.size; index++) {
      const element = other.at(index);
      if (element instanceof CelFailure) return element;
      const mine = known.get(this.#keyOf(toJson(element)));
      if (mine === undefined) return false;
      const result = areEqualOutcomes(this.convert(mine), element, areEqual);
      if (result !== true) return result;
    }
    return true;
  }

  override plus(other: CelList): CelOutcome {
    const merged = new Map(this.json.map((element) => [this.#keyOf(element), element]));
    for (const element of rawElements(other)) merged.set(this.#keyOf(element), element);
    return new JsonListMap([...merged.values()], this.convert, this.#keys);
  }

  #keyOf(element: JsonValue): string {
    if (!isJsonObject(element)) return scalarKey(element);
    return this.#keys.map((key) => scalarKey(ownValue(element, key) ?? null)).join('\n');
  }
}

/** Any JSON object as a map: with the same type for each value, or with a type for each known field. */
export class JsonMap extends CelMap {
  readonly json: JsonObject;
  readonly convertField: (name: string) => Convert | undefined;
  readonly isObject: boolean;
  override readonly hasSchema: boolean = true;

  constructor(json: JsonObject, convertField: (name: string) => Convert | undefined, isObject: boolean) {
    super();
    this.json = json;
    this.convertField = convertField;
    this.isObject = isObject;
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  find(key: CelValue): CelOutcome | undefined {
    if (typeof key !== 'string') return new CelFailure('no such overload');
    const name = this.isObject ? unescapeName(key) : key;
    return name === undefined ? undefined : this.findNamed(name);
  }

  /** Finds by the name in JSON. A field of an object that is null is as good as absent; an entry of a map is not. */
  findNamed(name: string): CelOutcome | undefined {
    const value = ownValue(this.json, name);
    if (value === undefined || (value === null && this.isObject)) return undefined;
    return this.convertField(name)?.(value);
  }

  /** Finds a field of an object whose type is known. */
  findWith(name: string, convert: Convert): CelOutcome | undefined {
    const value = Object.hasOwn(this.json, name) ? this.json[name] : undefined;
    return value === undefined || value === null ? undefined : convert(value);
  }

  keys(): readonly CelValue[] {
    const names = Object.keys(this.json).filter((name) => this.convertField(name) !== undefined);
    return this.isObject ? names.map((name) => escapeName(name) ?? name) : names;
  }

  toJson(): JsonValue {
    return this.json;
  }

  override equals(other: CelMap, areEqual: AreEqual): boolean | CelFailure {
    for (const [name, value] of Object.entries(this.json)) {
      const result =
        this.convertField(name) === undefined
          ? hasSameUnknown(other, name, value)
          : this.#hasSameField(other, name, areEqual);
      if (result !== true) return result;
    }
    return true;
  }

  #hasSameField(other: CelMap, name: string, areEqual: AreEqual): boolean | CelFailure {
    const mine = this.findNamed(name);
    const theirs = other instanceof JsonMap ? other.findNamed(name) : other.find(name);
    if (mine === undefined || theirs === undefined) return mine === theirs;
    return areEqualOutcomes(mine, theirs, areEqual);
  }
}

/** JSON of which the schema says nothing; all it can do is to be compared. */
export class UnknownJson extends CelOpaque {
  readonly typeName: string = 'unknown';
  readonly json: JsonValue;

  constructor(json: JsonValue) {
    super();
    this.json = json;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof UnknownJson && isSameJson(this.json, other.json);
  }

  override toJson(): JsonValue {
    return this.json;
  }
}

// A field that the other does not have is passed over, as Kubernetes does: the sizes were equal.
function hasSameUnknown(other: CelMap, name: string, value: JsonValue): boolean | CelFailure {
  if (!(other instanceof JsonMap)) return new CelFailure('no such overload');
  const theirs = ownValue(other.json, name);
  return theirs === undefined || isSameJson(value, theirs);
}

// The value of a field of its own: names such as `constructor` stand for nothing else.
function ownValue(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function rawElements(list: CelList): readonly JsonValue[] {
  const json = list.toJson();
  return Array.isArray(json) ? json : [];
}

function scalarKey(value: JsonValue): string {
  return `${typeof value === 'bigint' ? 'number' : typeof value}:${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
}
