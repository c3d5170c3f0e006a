import { isJsonObject, type JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';

import { OBJECT_META } from './object-meta-schema.ts';

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped';

/** What a schema says about merging: a value may be a scalar, a list or a map, and how the items of those are related. */
export interface FieldType {
  readonly scalar?: ScalarType;
  readonly list?: ListType;
  readonly map?: MapType;
}

export interface ListType {
  /** An atomic list is replaced as a whole. Of the others each item has owners of its own. */
  readonly isAtomic: boolean;
  /** The fields that tell items apart; empty for a set of scalars. */
  readonly keys: readonly string[];
  readonly item: FieldType;
  /** The value that a missing key stands for. */
  keyDefault(key: string): JsonValue | undefined;
}

export interface MapType {
  /** An atomic map is replaced as a whole. Of the others each field has owners of its own. */
  readonly isAtomic: boolean;
  /** Whether nothing is declared and anything goes. */
  readonly isFreeForm: boolean;
  /** The type of a declared field; undefined for all others. */
  declared(name: string): FieldType | undefined;
  /** The type of a field, declared or not; undefined when the field is not allowed. */
  field(name: string): FieldType | undefined;
}

/** Types are found by their schema, once for each, so schemas may be as large or as recursive as they like. */
interface TypeCache {
  readonly strict: WeakMap<Schema, FieldType>;
  readonly lenient: WeakMap<Schema, FieldType>;
}

const UNTYPED_ATOMIC: FieldType = {
  scalar: 'untyped',
  list: {
    isAtomic: true,
    keys: [],
    keyDefault: () => undefined,
    get item() {
      return UNTYPED_ATOMIC;
    },
  },
  map: {
    isAtomic: true,
    isFreeForm: false,
    declared: () => undefined,
    field: () => UNTYPED_ATOMIC,
  },
};

/** The type of what no schema describes: lists are atomic, maps are not. */
const DEDUCED: FieldType = {
  scalar: 'untyped',
  list: { isAtomic: true, keys: [], keyDefault: () => undefined, item: UNTYPED_ATOMIC },
  map: {
    isAtomic: false,
    isFreeForm: true,
    declared: () => undefined,
    field: () => DEDUCED,
  },
};

const TEXT: FieldType = { scalar: 'string' };

/** The type of a whole object, whose metadata is that of all kinds. */
export function objectType(schema: Schema): FieldType {
  const cache: TypeCache = { strict: new WeakMap(), lenient: new WeakMap() };
  return { map: new SchemaMap(withTypeMeta(schema), cache, isPreserving(schema)) };
}

function withTypeMeta(schema: Schema): Schema {
  const typeMeta = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: OBJECT_META } as const;
  return { ...schema, properties: { ...schema.properties, ...typeMeta } };
}

function isPreserving(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function typeOf(schema: Schema, cache: TypeCache, isLenient: boolean): FieldType {
  const isNowLenient = isLenient || isPreserving(schema);
  const types = isNowLenient ? cache.lenient : cache.strict;
  let type = types.get(schema);
  if (type === undefined) {
    type = makeType(schema, cache, isNowLenient);
    types.set(schema, type);
  }
  return type;
}

function makeType(schema: Schema, cache: TypeCache, isLenient: boolean): FieldType {
  const map = (): MapType =>
    new SchemaMap(schema['x-kubernetes-embedded-resource'] === true ? withTypeMeta(schema) : schema, cache, isLenient);
  if (schema['x-kubernetes-int-or-string'] === true) return { scalar: 'untyped' };
  const { type } = schema;
  if (type === undefined) return { scalar: 'untyped', list: new SchemaList(schema, cache, isLenient), map: map() };
  switch (type) {
    case 'object':
      return { map: map() };
    case 'array':
      return { list: new SchemaList(schema, cache, isLenient) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return schema.format === undefined || schema.format === 'byte' ? TEXT : { scalar: 'untyped' };
  }
}

class SchemaMap implements MapType {
  readonly isAtomic: boolean;
  readonly isFreeForm: boolean;
  readonly #schema: Schema;
  readonly #cache: TypeCache;
  readonly #isLenient: boolean;
  readonly #declared = new Map<string, FieldType>();
  readonly #element: FieldType | undefined;

  constructor(schema: Schema, cache: TypeCache, isLenient: boolean) {
    this.#schema = schema;
    this.#cache = cache;
    this.#isLenient = isLenient;
    this.isAtomic = schema['x-kubernetes-map-type'] === 'atomic';
    const hasProperties = Object.keys(schema.properties ?? {}).length > 0;
    this.#element = this.#elementType(hasProperties);
    this.isFreeForm = !hasProperties && (this.#element === DEDUCED || this.#element?.scalar === 'untyped');
  }

  declared(name: string): FieldType | undefined {
    const known = this.#declared.get(name);
    if (known !== undefined) return known;
    const { properties } = this.#schema;
    const schema = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) return undefined;
    const type = typeOf(schema, this.#cache, this.#isLenient);
    this.#declared.set(name, type);
    return type;
  }

  field(name: string): FieldType | undefined {
    return this.declared(name) ?? this.#element;
  }

  #elementType(hasProperties: boolean): FieldType | undefined {
    const { additionalProperties } = this.#schema;
    if (additionalProperties === undefined) return this.#isLenient || !hasProperties ? DEDUCED : undefined;
    if (isJsonObject(additionalProperties)) return typeOf(additionalProperties, this.#cache, this.#isLenient);
    return additionalProperties === true ? DEDUCED : undefined;
  }
}

class SchemaList implements ListType {
  readonly isAtomic: boolean;
  readonly keys: readonly string[];
  readonly #schema: Schema;
  readonly #cache: TypeCache;
  readonly #isLenient: boolean;

  constructor(schema: Schema, cache: TypeCache, isLenient: boolean) {
    this.#schema = schema;
    this.#cache = cache;
    this.#isLenient = isLenient;
    this.keys = keysOf(schema);
    this.isAtomic = !isAssociative(schema);
  }

  get item(): FieldType {
    const { items } = this.#schema;
    return items === undefined ? UNTYPED_ATOMIC : typeOf(items, this.#cache, this.#isLenient);
  }

  keyDefault(key: string): JsonValue | undefined {
    const properties = this.#schema.items?.properties;
    return properties !== undefined && Object.hasOwn(properties, key) ? properties[key]?.default : undefined;
  }
}

function isAssociative(schema: Schema): boolean {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== undefined) return listType !== 'atomic';
  return isMergedByPatch(schema);
}

/** Kinds that say nothing about apply are merged as a strategic merge patch merges them. */
function isMergedByPatch(schema: Schema): boolean {
  return schema['x-kubernetes-patch-strategy']?.split(',').includes('merge') === true;
}

function keysOf(schema: Schema): readonly string[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== undefined) return listType === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
  const mergeKey = schema['x-kubernetes-patch-merge-key'];
  return isMergedByPatch(schema) && mergeKey !== undefined ? [mergeKey] : [];
}
