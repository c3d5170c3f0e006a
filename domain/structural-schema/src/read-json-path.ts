import type { JsonObject, JsonValue } from '@smalt/json';

import { evaluateJsonPath } from './evaluate-json-path.ts';
import type { JsonPathNode } from './json-path-node.ts';
import { parseJsonPath } from './parse-json-path.ts';
import { StructuralSchemaError } from './structural-schema-error.ts';

/** Finds values in objects. */
export interface JsonPath {
  /** All values the path leads to; throws when it asks for something that cannot be, such as an item of a text. */
  find(object: JsonObject): readonly JsonValue[];
  /** The first of them; nothing when there is none or the path cannot be followed. */
  first(object: JsonObject): JsonValue | undefined;
}

/**
 * Reads a path as printer columns and selectable fields write it, such as `.status.conditions[?(@.type=="Ready")].status`,
 * once and for all objects. Throws when the text is no path.
 */
export function readJsonPath(path: string): JsonPath {
  const nodes = parseJsonPath(path);
  const names = namesOf(nodes);
  const find = (object: JsonObject): readonly JsonValue[] => evaluateJsonPath(nodes, [object]);
  return {
    find,
    first: names === undefined ? (object) => firstOf(find, object) : (object) => follow(names, object),
  };
}

// Most paths are nothing but names, and those can be followed without making lists.
function namesOf(nodes: readonly JsonPathNode[]): readonly string[] | undefined {
  const names: string[] = [];
  for (const node of nodes) {
    if (node.kind !== 'field') return undefined;
    names.push(node.name);
  }
  return names;
}

function follow(names: readonly string[], object: JsonObject): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  }
  return value;
}

function firstOf(find: (object: JsonObject) => readonly JsonValue[], object: JsonObject): JsonValue | undefined {
  try {
    return find(object)[0];
  } catch (error) {
    if (error instanceof StructuralSchemaError) return undefined;
    throw error;
  }
}
