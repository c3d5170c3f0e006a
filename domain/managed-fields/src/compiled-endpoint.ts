import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';

import type { Endpoint } from './endpoint.ts';
import { type FieldSet, fieldSetOfPaths } from './field-set.ts';
import { type FieldType, objectType } from './field-type.ts';
import { isEmptyObject, type MutableObject } from './json-kind.ts';

/** What is worked out once for an endpoint. */
export interface CompiledEndpoint {
  readonly type: FieldType;
  readonly resetFields: FieldSet;
  /** What there is before the first write. */
  readonly emptyObject: JsonObject;
}

const compiledEndpoints = new WeakMap<Endpoint, CompiledEndpoint>();
const types = new WeakMap<Schema, FieldType>();

/** The compiled form of an endpoint; the endpoints of a kind share what its schema says. */
export function compileEndpoint(endpoint: Endpoint): CompiledEndpoint {
  let compiled = compiledEndpoints.get(endpoint);
  if (compiled === undefined) {
    compiled = {
      type: typeOfSchema(endpoint.schema),
      resetFields: fieldSetOfPaths(endpoint.resetFields),
      emptyObject: emptyObjectOf(endpoint),
    };
    compiledEndpoints.set(endpoint, compiled);
  }
  return compiled;
}

function typeOfSchema(schema: Schema): FieldType {
  let type = types.get(schema);
  if (type === undefined) {
    type = objectType(schema);
    types.set(schema, type);
  }
  return type;
}

function emptyObjectOf({ schema, apiVersion, kind, isBuiltIn }: Endpoint): JsonObject {
  if (!isBuiltIn) return { apiVersion, kind };
  const topLevel = new Set(['metadata', 'spec', 'status']);
  return { ...emptyStruct(schema, topLevel, new Set()), apiVersion, kind };
}

/**
 * What Go prints for a struct of which nothing is set: the structs in it and the lists that are always printed. The
 * schema of a built-in kind tells them by `default: {}` and `required`.
 */
function emptyStruct(schema: Schema, alwaysThere: ReadonlySet<string>, within: ReadonlySet<Schema>): MutableObject {
  const result: MutableObject = {};
  const required = new Set(schema.required);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isThere =
      alwaysThere.has(name) || required.has(name) || isEmptyDefault(field) || isEmptyScalar(field.default);
    if (!isThere || within.has(field)) continue;
    if (field.type === 'array') result[name] = null;
    else if (field.type === 'object') result[name] = emptyStruct(field, new Set(), new Set([...within, field]));
    else if (isEmptyScalar(field.default)) result[name] = field.default;
  }
  return result;
}

function isEmptyScalar(value: JsonValue | undefined): value is '' | 0 | false | null {
  return value === '' || value === 0 || value === false || value === null;
}

function isEmptyDefault({ default: value }: Schema): boolean {
  return isJsonObject(value) && isEmptyObject(value);
}
