import { isJsonObject, isSameJson, type JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';

import { ListMapIndex } from './list-map-index.ts';

/**
 * A new value beside the old one it replaces. Fields belong together by name and the items of a list-map by their
 * keys; what stands in any other list belongs to nothing.
 */
export class Correlation {
  readonly #value: JsonValue | undefined;
  readonly #old: JsonValue | undefined;
  readonly #schema: Schema;
  readonly #children = new Map<string | number, Correlation | undefined>();
  #isUnchanged: boolean | undefined;
  #oldItems: ListMapIndex | undefined;

  constructor(value: JsonValue | undefined, old: JsonValue | undefined, schema: Schema) {
    this.#value = value;
    this.#old = old;
    this.#schema = schema;
  }

  /** The same for a field or an item, or nothing when the old object has none that belongs to it. */
  child(segment: string | number): Correlation | undefined {
    if (!this.#children.has(segment)) {
      this.#children.set(segment, typeof segment === 'number' ? this.#item(segment) : this.#field(segment));
    }
    return this.#children.get(segment);
  }

  isUnchanged(): boolean {
    this.#isUnchanged ??= this.#compare();
    return this.#isUnchanged;
  }

  #field(name: string): Correlation | undefined {
    const [value, old] = [this.#value, this.#old];
    if (!isJsonObject(value) || !isJsonObject(old)) return undefined;
    if (!Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
    const schema = schemaOfField(this.#schema, name);
    return schema === undefined ? undefined : new Correlation(value[name], old[name], schema);
  }

  #item(index: number): Correlation | undefined {
    const { items } = this.#schema;
    if (items === undefined || this.#schema['x-kubernetes-list-type'] !== 'map') return undefined;
    if (!Array.isArray(this.#value) || !Array.isArray(this.#old)) return undefined;
    this.#oldItems ??= new ListMapIndex(this.#old, this.#schema['x-kubernetes-list-map-keys'] ?? []);
    const value: JsonValue | undefined = this.#value[index];
    const old = this.#oldItems.find(value);
    return old === undefined ? undefined : new Correlation(value, old, items);
  }

  #compare(): boolean {
    const [value, old] = [this.#value ?? null, this.#old ?? null];
    if (Array.isArray(value) && Array.isArray(old)) return this.#compareLists(value, old);
    if (!isJsonObject(value) || !isJsonObject(old)) return isSameJson(value, old);
    const names = Object.keys(value);
    return names.length === Object.keys(old).length && names.every((name) => this.child(name)?.isUnchanged() ?? false);
  }

  #compareLists(value: readonly JsonValue[], old: readonly JsonValue[]): boolean {
    if (value.length !== old.length) return false;
    if (this.#schema['x-kubernetes-list-type'] !== 'map') return isSameJson(value, old);
    return value.every((_item, index) => this.child(index)?.isUnchanged() ?? false);
  }
}

/** The schema that holds for a field: its own, or the one for all further fields. */
export function schemaOfField(schema: Schema, name: string): Schema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
