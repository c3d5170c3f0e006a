import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';
import type { TSchema } from 'typebox';

import { KindError } from './kind-error.ts';
import { withoutNames, type NamedSchema } from './named-schema.ts';

const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean'] as const;

const PASSED_ON: ReadonlySet<string> = new Set([
  '$id',
  'title',
  'description',
  'default',
  'example',
  'nullable',
  'enum',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
]);

const CONVERTED: ReadonlySet<string> = new Set([
  'type',
  'const',
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'anyOf',
]);

/** The schema as a CustomResourceDefinition holds it. Throws for what Kubernetes would not take as structural. */
export function toStructuralSchema(schema: TSchema): Schema {
  return withoutNames(toNamedSchema(schema));
}

/** As `toStructuralSchema`, with the names of the shapes kept. */
export function toNamedSchema(schema: TSchema): NamedSchema {
  return convert(readJson(schema), '');
}

// TypeBox marks optional fields with properties that JSON text does not show; what is left is the schema itself.
function readJson(schema: TSchema): JsonObject {
  const value: unknown = JSON.parse(JSON.stringify(schema));
  if (!isJsonObject(value)) throw new KindError('not-structural', 'a schema must be an object');
  return value;
}

function convert(schema: JsonObject, path: string): NamedSchema {
  for (const key of Object.keys(schema)) {
    if (!PASSED_ON.has(key) && !CONVERTED.has(key)) throw notStructural(path, `"${key}" is not allowed`);
  }
  const structure = typed(schema, path);
  const { description, ...passed } = Object.fromEntries(Object.entries(schema).filter(([key]) => PASSED_ON.has(key)));
  // What a person wants to know first comes first in the CRD too.
  return {
    ...(typeof description === 'string' && description !== '' ? { description } : {}),
    ...(structure.type === undefined ? {} : { type: structure.type }),
    ...passed,
    ...structure,
  };
}

function typed(schema: JsonObject, path: string): NamedSchema {
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString(schema, path);
  const words = literalWords(schema, path);
  if (words !== undefined) return { type: 'string', enum: words };
  const type = TYPES.find((known) => known === schema['type']);
  if (type === undefined)
    throw notStructural(path, `the type ${JSON.stringify(schema['type'] ?? null)} is not allowed`);
  if (schema['anyOf'] !== undefined) throw notStructural(path, 'only words can be alternatives');
  if (type === 'array') return { type, items: arrayItems(schema, path) };
  return type === 'object' ? { type, ...objectFields(schema, path) } : { type };
}

function intOrString(schema: JsonObject, path: string): NamedSchema {
  if (schema['type'] !== undefined) throw notStructural(path, 'an int-or-string may not have a type');
  return { anyOf: [{ type: 'integer' }, { type: 'string' }] };
}

/** The words of an enumeration, however TypeBox wrote it: as `enum`, as one `const`, or as alternatives of `const`. */
function literalWords(schema: JsonObject, path: string): readonly string[] | undefined {
  const alternatives = schema['anyOf'];
  const literals = Array.isArray(alternatives) ? alternatives.map(literalOf) : [literalOf(schema)];
  const values = schema['enum'] ?? (literals.some((literal) => literal !== undefined) ? literals : undefined);
  if (values === undefined) return undefined;
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) {
    throw notStructural(path, 'only strings can be enumerated');
  }
  return values;
}

function literalOf(schema: unknown): JsonValue | undefined {
  return isJsonObject(schema) ? schema['const'] : undefined;
}

function arrayItems(schema: JsonObject, path: string): NamedSchema {
  const items = schema['items'];
  if (!isJsonObject(items)) throw notStructural(path, 'an array must say what its items are');
  return convert(items, `${path}[]`);
}

function objectFields(schema: JsonObject, path: string): NamedSchema {
  const { properties, patternProperties, additionalProperties } = schema;
  const values = isJsonObject(patternProperties) ? anyKey(patternProperties, path) : additionalProperties;
  if (values === undefined) return { properties: convertAll(properties, path) };
  if (!isJsonObject(values)) throw notStructural(path, 'additionalProperties must be a schema');
  if (isJsonObject(properties) && Object.keys(properties).length > 0) {
    throw notStructural(path, 'properties and additionalProperties exclude each other');
  }
  return { additionalProperties: convert(values, `${path}[*]`) };
}

function anyKey(patternProperties: JsonObject, path: string): JsonValue | undefined {
  const patterns = Object.keys(patternProperties);
  if (patterns.length !== 1 || patterns[0] !== '^.*$') throw notStructural(path, 'keys of a map may have no pattern');
  return patternProperties['^.*$'];
}

function convertAll(properties: JsonValue | undefined, path: string): Record<string, NamedSchema> {
  const converted: Record<string, NamedSchema> = {};
  for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (!isJsonObject(schema)) throw notStructural(`${path}.${name}`, 'a field must have a schema');
    converted[name] = convert(schema, `${path}.${name}`);
  }
  return converted;
}

function notStructural(path: string, complaint: string): KindError {
  return new KindError('not-structural', `${path === '' ? 'the schema' : path}: ${complaint}`);
}
