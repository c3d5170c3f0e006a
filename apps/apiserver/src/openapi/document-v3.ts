import type { JsonObject, JsonValue } from '@smalt/json';
import type { GroupVersionKind, Resource, Schema } from '@smalt/resource';

import { parameterV3, queryParameters, type OperationKind } from './operation-parameters.ts';
import { operationsOf, type Operation } from './operations.ts';

/** The named schemas of a document, and which of them a kind is. */
export interface Components {
  readonly schemas: ReadonlyMap<string, Schema>;
  nameOf(gvk: GroupVersionKind): string | undefined;
}

const MEDIA_TYPES = ['application/json', 'application/yaml'];
const PATCH_TYPES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];
const STRATEGIC_TYPE = 'application/strategic-merge-patch+json';

/** The OpenAPI v3 document of one group and version. */
export function documentV3(resources: readonly Resource[], components: Components, version: string): JsonObject {
  const paths = new Map<string, Record<string, JsonValue>>();
  const parameters = new Map<OperationKind, readonly JsonObject[]>();
  for (const resource of resources) {
    for (const operation of operationsOf(resource)) {
      const path = paths.get(operation.path) ?? pathItem(operation.path);
      paths.set(operation.path, path);
      const query = parameters.get(operation.kind) ?? queryParameters(operation.kind).map(parameterV3);
      parameters.set(operation.kind, query);
      path[operation.method] = operationV3(operation, resource, components, query);
    }
  }
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version },
    paths: Object.fromEntries(paths),
    components: {
      schemas: plainSchemas(components),
      securitySchemes: {
        BearerToken: {
          type: 'apiKey',
          description: 'Bearer Token authentication',
          name: 'authorization',
          in: 'header',
        },
      },
    },
  };
}

function pathItem(path: string): Record<string, JsonValue> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  if (names.length === 0) return {};
  const schema = { type: 'string', uniqueItems: true };
  return { parameters: names.map((name) => ({ name, in: 'path', required: true, schema })) };
}

function operationV3(
  operation: Operation,
  resource: Resource,
  components: Components,
  query: readonly JsonObject[],
): JsonObject {
  const { group, version } = resource;
  const answer = content(MEDIA_TYPES, reference(operation.answers, components));
  return {
    tags: [group === '' ? `core_${version}` : `${group.replace(/\.k8s\.io$/, '').replaceAll(/\W/g, '')}_${version}`],
    operationId: operation.operationId,
    parameters: query,
    ...requestBody(operation, resource, components),
    responses: responses(operation.kind, answer),
    'x-kubernetes-action': operation.action,
    'x-kubernetes-group-version-kind': { ...operation.gvk },
  };
}

function requestBody(operation: Operation, resource: Resource, components: Components): JsonObject {
  switch (operation.kind) {
    case 'get':
    case 'list':
      return {};
    case 'create':
    case 'update':
      return { requestBody: { content: content(['*/*'], reference(operation.gvk, components)), required: true } };
    case 'patch': {
      const types = resource.isBuiltIn ? [...PATCH_TYPES, STRATEGIC_TYPE] : PATCH_TYPES;
      return { requestBody: { content: content(types, { type: 'object' }), required: true } };
    }
    case 'delete':
    case 'deletecollection':
      return {
        requestBody: {
          content: content(['*/*'], reference({ group: '', version: 'v1', kind: 'DeleteOptions' }, components)),
        },
      };
  }
}

function responses(kind: OperationKind, answer: JsonObject): JsonObject {
  const ok = { description: 'OK', content: answer };
  const created = { description: 'Created', content: answer };
  const unauthorized = { 401: { description: 'Unauthorized' } };
  switch (kind) {
    case 'get':
    case 'list':
    case 'deletecollection':
      return { 200: ok, ...unauthorized };
    case 'create':
      return { 200: ok, 201: created, 202: { description: 'Accepted', content: answer }, ...unauthorized };
    case 'update':
    case 'patch':
      return { 200: ok, 201: created, ...unauthorized };
    case 'delete':
      return { 200: ok, 202: { description: 'Accepted', content: answer }, ...unauthorized };
  }
}

function content(types: readonly string[], schema: JsonObject): JsonObject {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function reference(gvk: GroupVersionKind, components: Components): JsonObject {
  const name = components.nameOf(gvk);
  return name === undefined ? { type: 'object' } : { $ref: `#/components/schemas/${name}` };
}

function plainSchemas(components: Components): JsonObject {
  const entries = [...components.schemas].toSorted(([left], [right]) => (left < right ? -1 : 1));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema is JSON through and through
  return Object.fromEntries(entries) as unknown as JsonObject;
}
