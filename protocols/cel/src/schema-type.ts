import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  STRING,
  TIMESTAMP,
  type CelType,
  type ObjectField,
} from './cel-type.ts';
import { escapeName } from './escape-name.ts';
import { converterOf } from './schema-converter.ts';
import { withObjectMeta, type SchemaLike } from './schema-like.ts';

export interface SchemaTypeOptions {
  /** Whether this is the root of a resource, which always has a kind, an apiVersion and a metadata.name. */
  readonly isRoot: boolean;
  /** What error messages call the type. Types of one name are the same type. */
  readonly name?: string;
}

/** The largest request that a server reads, which bounds what a schema does not. */
const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

/** The type of the values that a schema describes, or undefined where expressions do not see them. */
export function celTypeOf(schema: SchemaLike, options: SchemaTypeOptions): CelType | undefined {
  return typeOfSchema(schema, options.isRoot, options.name ?? 'selfType1');
}

function typeOfSchema(schema: SchemaLike, isRoot: boolean, name: string): CelType | undefined {
  const full = isRoot ? withObjectMeta(schema) : schema;
  const type = describe(full, name);
  return type === undefined ? undefined : { ...type, convert: converterOf(full) };
}

function describe(schema: SchemaLike, name: string): CelType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) {
    return { ...DYN, minSize: 1, maxElements: maxTextLength(schema) ?? MAX_REQUEST_BYTES - 2 };
  }
  switch (schema.type ?? '') {
    case 'array':
      return describeList(schema, name);
    case 'object':
      return describeObject(schema, name);
    case 'string':
      return describeString(schema);
    case 'boolean':
      return { ...BOOL, minSize: 4 };
    case 'number':
      return { ...DOUBLE, minSize: 1 };
    case 'integer':
      return { ...INT, minSize: 1 };
    default:
      return undefined;
  }
}

function describeList(schema: SchemaLike, name: string): CelType | undefined {
  const element = nestedType(schema.items, `${name}.@idx`);
  if (element === undefined) return undefined;
  const maxElements = limitOf(schema.maxItems) ?? Math.trunc((MAX_REQUEST_BYTES - 2) / ((element.minSize ?? 1) + 1));
  return { kind: 'list', element, maxElements, minSize: 2 };
}

function describeObject(schema: SchemaLike, name: string): CelType | undefined {
  if (typeof schema.additionalProperties === 'object') {
    const value = nestedType(schema.additionalProperties, `${name}.@elem`);
    if (value === undefined) return undefined;
    const maxElements =
      limitOf(schema.maxProperties) ?? Math.trunc((MAX_REQUEST_BYTES - 2) / ((value.minSize ?? 1) + 6));
    // The names of entries have no bound of their own.
    return { kind: 'map', key: { ...STRING, maxElements: 0 }, value, maxElements, minSize: 2 };
  }
  const fields = new Map<string, ObjectField>();
  let minSize = 2;
  for (const [property, propertySchema] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeName(property);
    const type = nestedType(propertySchema, `${name}.${escaped ?? property}`);
    if (type === undefined) continue;
    if (escaped !== undefined) fields.set(escaped, { name: property, type });
    if (schema.required?.includes(property) === true && propertySchema.default === undefined) {
      minSize += Buffer.byteLength(property) + (type.minSize ?? 1) + 4;
    }
  }
  return { kind: 'object', name, fields, minSize, maxElements: 0 };
}

function nestedType(schema: SchemaLike | undefined, name: string): CelType | undefined {
  if (schema === undefined) return undefined;
  return typeOfSchema(schema, schema['x-kubernetes-embedded-resource'] === true, name);
}

// The sizes are those of the text in JSON with its quotes.
function describeString(schema: SchemaLike): CelType {
  switch (schema.format ?? '') {
    case 'byte':
      return { ...BYTES, minSize: 2, maxElements: limitOf(schema.maxLength) ?? MAX_REQUEST_BYTES - 2 };
    case 'duration':
      return { ...DURATION, minSize: 3, maxElements: 32 };
    case 'date':
      return { ...TIMESTAMP, minSize: 12, maxElements: 12 };
    case 'date-time':
      return { ...TIMESTAMP, minSize: 21, maxElements: 32 };
    default:
      return { ...STRING, minSize: 2, maxElements: maxTextLength(schema) ?? maxEnumLength(schema) };
  }
}

// A limit counts characters, each of which can take four bytes.
function maxTextLength(schema: SchemaLike): number | undefined {
  const limit = limitOf(schema.maxLength);
  return limit === undefined ? undefined : limit * 4;
}

function maxEnumLength(schema: SchemaLike): number {
  if (schema.enum === undefined || schema.enum.length === 0) return MAX_REQUEST_BYTES - 2;
  return Math.max(0, ...schema.enum.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}

function limitOf(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.max(0, limit);
}
