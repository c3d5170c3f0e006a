import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';

import { childPath } from './field-path.ts';
import { isMetaField, objectMetaSchema } from './metadata-schema.ts';

/** Returns the value without what its schema does not know, or the value itself when there is no such thing. */
export type Prune = (value: JsonValue, path: string, unknownFields: string[]) => JsonValue;

/** Makes one function that drops unknown fields. An embedded resource keeps what all objects have. */
export function compilePrune(schema: Schema | undefined, isResource: boolean): Prune {
  const pruneFields = compileFields(schema, isResource);
  const each = compileItem(schema);
  return (value, path, unknownFields) => {
    if (typeof value !== 'object' || value === null) return value;
    if (isJsonObject(value)) return pruneFields(value, path, unknownFields);
    return each === undefined ? value : pruneList(value, each, path, unknownFields);
  };
}

// Without a schema of its items all that is in a list is unknown. A list that keeps what is unknown does so in its items.
function compileItem(schema: Schema | undefined): Prune | undefined {
  const keepsUnknown = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  const items = schema?.items;
  if (items === undefined) return keepsUnknown ? undefined : pruneUnknown;
  return compileFor(keepsUnknown ? { ...items, 'x-kubernetes-preserve-unknown-fields': true } : items);
}

function compileFor(schema: Schema): Prune {
  return compilePrune(schema, schema['x-kubernetes-embedded-resource'] === true);
}

type PruneFields = (object: JsonObject, path: string, unknownFields: string[]) => JsonObject;

function compileFields(schema: Schema | undefined, isResource: boolean): PruneFields {
  const fieldOf = compileFieldLookup(schema, isResource);
  return (object, path, unknownFields) => {
    let changed: Record<string, JsonValue> | undefined;
    for (const name in object) {
      const value = object[name] ?? null;
      const prune = fieldOf(name);
      if (prune === 'keep') continue;
      if (prune === 'drop') {
        if (path !== '' || !isMetaField(name)) unknownFields.push(childPath(path, name));
        changed ??= { ...object };
        delete changed[name];
        continue;
      }
      const pruned = typeof value === 'object' ? prune(value, childPath(path, name), unknownFields) : value;
      if (pruned === value) continue;
      changed ??= { ...object };
      changed[name] = pruned;
    }
    return changed ?? object;
  };
}

type FieldLookup = (name: string) => Prune | 'keep' | 'drop';

function compileFieldLookup(schema: Schema | undefined, isResource: boolean): FieldLookup {
  const fields = new Map<string, Prune | 'keep'>();
  for (const [name, property] of Object.entries(schema?.properties ?? {})) fields.set(name, compileFor(property));
  if (isResource) {
    fields.set('apiVersion', 'keep');
    fields.set('kind', 'keep');
    fields.set('metadata', compilePruneMetadata());
  }
  const other = compileOther(schema);
  return (name) => fields.get(name) ?? other;
}

function compileOther(schema: Schema | undefined): Prune | 'keep' | 'drop' {
  const { additionalProperties } = schema ?? {};
  if (typeof additionalProperties === 'object') return compileFor(additionalProperties);
  if (additionalProperties !== undefined) return pruneUnknown;
  return schema?.['x-kubernetes-preserve-unknown-fields'] === true ? 'keep' : 'drop';
}

function pruneList(
  list: readonly JsonValue[],
  prune: Prune,
  path: string,
  unknownFields: string[],
): readonly JsonValue[] {
  let changed: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] ?? null;
    if (typeof item !== 'object') continue;
    const pruned = prune(item, `${path}[${index}]`, unknownFields);
    if (pruned === item) continue;
    changed ??= [...list];
    changed[index] = pruned;
  }
  return changed ?? list;
}

// Where there is no schema, nothing is known: objects become empty, and so does what is in lists.
function pruneUnknown(value: JsonValue, path: string, unknownFields: string[]): JsonValue {
  if (Array.isArray(value)) return pruneList(value, pruneUnknown, path, unknownFields);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value);
  for (const name of names) unknownFields.push(childPath(path, name));
  return names.length === 0 ? value : {};
}

/** Drops what metadata cannot have, and what says nothing there: the server writes neither null nor empty fields. */
function compilePruneMetadata(): Prune {
  const prune = compilePrune(objectMetaSchema, false);
  return (value, path, unknownFields) => {
    const pruned = prune(value, path, unknownFields);
    return isJsonObject(pruned) ? dropEmptyFields(pruned) : pruned;
  };
}

function dropEmptyFields(object: JsonObject): JsonObject {
  let changed: Record<string, JsonValue> | undefined;
  for (const name in object) {
    if (!isEmpty(object[name] ?? null)) continue;
    changed ??= { ...object };
    delete changed[name];
  }
  return changed ?? object;
}

function isEmpty(value: JsonValue): boolean {
  if (typeof value !== 'object') return value === '' || value === 0;
  if (value === null) return true;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}
