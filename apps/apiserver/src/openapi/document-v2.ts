import type { JsonObject, JsonValue } from '@smalt/json';
import { isJsonObject } from '@smalt/json';
import type { GroupVersionKind, Resource } from '@smalt/resource';

import type { ServedGroup } from '../discovery/served-groups.ts';
import type { Components } from './document-v3.ts';
import { parameterV2, queryParameters } from './operation-parameters.ts';
import { operationsOf, type Operation } from './operations.ts';

type ComponentsOf = (group: string, version: string, resources: readonly Resource[]) => Components;

const TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const DROPPED: ReadonlySet<string> = new Set([
  'nullable',
  'anyOf',
  'oneOf',
  'not',
  'x-kubernetes-validations',
  'example',
]);

/** One OpenAPI v2 document of everything that is served. */
export function documentV2(groups: readonly ServedGroup[], componentsOf: ComponentsOf, version: string): JsonObject {
  const definitions = new Map<string, JsonValue>();
  const paths = new Map<string, Record<string, JsonValue>>();
  const all = groups.flatMap(({ name, versions }) => versions.map((served) => ({ ...served, group: name })));
  for (const { group, version: served, resources } of all) {
    const components = componentsOf(group, served, resources);
    for (const [component, schema] of components.schemas) {
      if (!definitions.has(component)) definitions.set(component, schemaV2(plain(schema)));
    }
    for (const resource of resources) addPaths(resource, components, paths);
  }
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version },
    paths: sorted(paths),
    definitions: sorted(definitions),
    securityDefinitions: {
      BearerToken: { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}

/** The document with the paths and definitions of others in it; what it has itself is not replaced. */
export function mergeDocumentsV2(own: JsonObject, others: readonly JsonObject[]): JsonObject {
  const all = [...others, own];
  const merged = (field: string): ReadonlyMap<string, JsonValue> =>
    new Map(all.flatMap(({ [field]: part }) => (isJsonObject(part) ? Object.entries(part) : [])));
  return { ...own, paths: sorted(merged('paths')), definitions: sorted(merged('definitions')) };
}

function sorted(entries: ReadonlyMap<string, JsonValue>): JsonObject {
  return Object.fromEntries([...entries].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function addPaths(resource: Resource, components: Components, paths: Map<string, Record<string, JsonValue>>): void {
  for (const operation of operationsOf(resource)) {
    const path = paths.get(operation.path) ?? pathItem(operation.path);
    paths.set(operation.path, path);
    path[operation.method] = operationV2(operation, components);
  }
}

function pathItem(path: string): Record<string, JsonValue> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  if (names.length === 0) return {};
  return { parameters: names.map((name) => ({ name, in: 'path', type: 'string', required: true, uniqueItems: true })) };
}

function operationV2(operation: Operation, components: Components): JsonObject {
  const schema = reference(operation.answers, components);
  const hasBody = operation.kind === 'create' || operation.kind === 'update' || operation.kind === 'patch';
  const bodySchema = operation.kind === 'patch' ? { type: 'object' } : reference(operation.gvk, components);
  const body = hasBody ? [{ name: 'body', in: 'body', required: true, schema: bodySchema }] : [];
  return {
    consumes:
      operation.kind === 'patch'
        ? ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml']
        : ['*/*'],
    produces: TYPES,
    schemes: ['https'],
    operationId: operation.operationId,
    parameters: [...body, ...queryParameters(operation.kind).map(parameterV2)],
    responses: { 200: { description: 'OK', schema }, 401: { description: 'Unauthorized' } },
    'x-kubernetes-action': operation.action,
    'x-kubernetes-group-version-kind': { ...operation.gvk },
  };
}

function reference(gvk: GroupVersionKind, components: Components): JsonObject {
  const name = components.nameOf(gvk);
  return name === undefined ? { type: 'object' } : { $ref: `#/definitions/${name}` };
}

function plain(schema: object): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema is JSON through and through
  return schema as unknown as JsonObject;
}

/** Turns a schema of v3 into one of v2, which knows less: what it cannot say is left open. */
function schemaV2(schema: JsonObject): JsonObject {
  const link = onlyLink(schema);
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (DROPPED.has(name) || (link !== undefined && (name === 'allOf' || name === 'default'))) continue;
    result[name] = convert(name, value);
  }
  if (link !== undefined) result['$ref'] = link;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true && schema['properties'] === undefined)
    delete result['items'];
  // What may be a number or text, or null, has no type in v2.
  if (schema['nullable'] === true || schema['x-kubernetes-int-or-string'] === true) withoutType(result);
  if (schema['format'] === 'int-or-string') result['type'] = 'string';
  return result;
}

function withoutType(schema: Record<string, JsonValue>): void {
  for (const name of ['type', 'properties', 'items', 'additionalProperties', 'required']) delete schema[name];
}

function onlyLink(schema: JsonObject): string | undefined {
  const all = schema['allOf'];
  const [first] = Array.isArray(all) && all.length === 1 ? (all as readonly JsonValue[]) : [];
  const link = isJsonObject(first) ? first['$ref'] : schema['$ref'];
  return typeof link === 'string' ? link.replace('#/components/schemas/', '#/definitions/') : undefined;
}

function convert(name: string, value: JsonValue): JsonValue {
  if (name === 'properties' && isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([field, part]) => [field, isJsonObject(part) ? schemaV2(part) : part]),
    );
  }
  if ((name === 'items' || name === 'additionalProperties') && isJsonObject(value)) return schemaV2(value);
  if (name === 'allOf' && Array.isArray(value)) {
    return value.map((part: JsonValue) => (isJsonObject(part) ? schemaV2(part) : part));
  }
  return value;
}
