import { isJsonObject, type JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';

import { jsonKind, type JsonKind } from './json-kind.ts';
import { objectMetaSchema } from './metadata-schema.ts';
import { isDateTime } from './time-formats.ts';

const GO_KINDS: Readonly<Record<JsonKind, string>> = {
  object: 'object',
  array: 'array',
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'bool',
  null: 'null',
};

/** Says what in metadata is of the wrong type, in the words of Kubernetes; nothing when all is well. */
export function metadataTypeProblem(metadata: JsonValue): string | undefined {
  return findProblem(metadata, objectMetaSchema, '');
}

function findProblem(value: JsonValue, schema: Schema, path: string): string | undefined {
  if (value === null) return undefined;
  const kind = jsonKind(value);
  if (kind !== schema.type && schema.type !== undefined) return wrongType(kind, schema, path);
  if (schema.format === 'date-time') return timeProblem(value);
  if (Array.isArray(value)) return findItemProblem(value, schema, path);
  return isJsonObject(value) ? findFieldProblem(value, schema, path) : undefined;
}

function findItemProblem(list: readonly JsonValue[], schema: Schema, path: string): string | undefined {
  const items = schema.items ?? {};
  for (const item of list) {
    const problem = findProblem(item, items, path);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findFieldProblem(
  object: Readonly<Record<string, JsonValue>>,
  schema: Schema,
  path: string,
): string | undefined {
  for (const [name, value] of Object.entries(object)) {
    const { properties = {}, additionalProperties } = schema;
    const isMap = typeof additionalProperties === 'object';
    const field = isMap ? additionalProperties : Object.hasOwn(properties, name) ? properties[name] : undefined;
    const problem = field === undefined ? undefined : findProblem(value, field, isMap ? path : joined(path, name));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function wrongType(kind: JsonKind, schema: Schema, path: string): string {
  const target = path === '' ? 'Go value' : `Go struct field ObjectMeta.${path}`;
  return `json: cannot unmarshal ${GO_KINDS[kind]} into ${target} of type ${goType(schema, path)}`;
}

function goType(schema: Schema, path: string): string {
  if (schema.type === 'integer') return 'int64';
  if (schema.type === 'boolean') return 'bool';
  if (schema.type === 'array') return path === 'finalizers' ? '[]string' : '[]v1.OwnerReference';
  if (schema.type === 'object') return path === '' ? 'v1.ObjectMeta' : 'map[string]string';
  return path === 'uid' ? 'types.UID' : 'string';
}

function timeProblem(value: JsonValue): string | undefined {
  if (typeof value !== 'string' || isDateTime(value)) return undefined;
  return `parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(value)} as "2006"`;
}
