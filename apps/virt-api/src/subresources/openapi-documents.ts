import type { JsonObject, JsonValue } from '@smalt/json';

import { SUBRESOURCE_GROUP } from './find-subresource.ts';
import { SUBRESOURCE_ROUTES, type SubresourceRoute } from './subresource-routes.ts';

/** The two forms of the description of a group and version. */
export interface OpenApiDocuments {
  readonly v2: JsonObject;
  readonly v3: JsonObject;
}

const TEXT: JsonObject = { type: 'string' };
const DRY_RUN: JsonObject = {
  type: 'array',
  items: TEXT,
  description: 'All: everything is looked at and nothing is changed.',
};

/** The fields of the bodies, as OpenAPI has them. */
const BODIES: Readonly<Record<string, JsonObject>> = {
  AddVolumeOptions: {
    name: describedText('The name of the volume and of its disk.'),
    disk: { type: 'object', description: 'The disk, as in spec.domain.devices.disks.' },
    volumeSource: { type: 'object', description: 'A persistentVolumeClaim or a dataVolume.' },
    dryRun: DRY_RUN,
  },
  EvacuateCancelOptions: {
    evacuationNodeName: describedText('The node that the instance was to leave.'),
    dryRun: DRY_RUN,
  },
  FreezeUnfreezeTimeout: { unfreezeTimeout: describedText('After how long file systems thaw by themselves: 5m0s.') },
  MigrateOptions: {
    addedNodeSelector: {
      type: 'object',
      additionalProperties: TEXT,
      description: 'Labels that the target has to have beside those that the instance asks for.',
    },
    dryRun: DRY_RUN,
  },
  PauseOptions: { dryRun: DRY_RUN },
  RemoveVolumeOptions: { name: describedText('The name of the volume.'), dryRun: DRY_RUN },
  RestartOptions: {
    gracePeriodSeconds: { type: 'integer', description: '0 has the guest stopped at once; nothing else is taken.' },
    dryRun: DRY_RUN,
  },
  StartOptions: {
    paused: { type: 'boolean', description: 'Whether the guest waits to be unpaused.' },
    dryRun: DRY_RUN,
  },
  StopOptions: {
    gracePeriod: { type: 'integer', description: 'How many seconds the guest has to shut down.' },
    dryRun: DRY_RUN,
  },
  UnpauseOptions: { dryRun: DRY_RUN },
  VirtualMachine: {},
};

/** Describes what is served of one version. */
export function openApiDocuments(version: string): OpenApiDocuments {
  const served = SUBRESOURCE_ROUTES.filter(({ kind }) => kind !== 'missing');
  const info = { title: 'subresources.kubevirt.io', version };
  const schemas = Object.entries(BODIES).map(([name, fields]) => [schemaName(name), bodySchema(fields)] as const);
  return {
    v3: {
      openapi: '3.0.0',
      info,
      paths: pathsOf(version, served, operationV3),
      components: { schemas: Object.fromEntries(schemas) },
    },
    v2: {
      swagger: '2.0',
      info,
      paths: pathsOf(version, served, operationV2),
      definitions: Object.fromEntries(schemas),
    },
  };
}

type Describe = (route: SubresourceRoute, parameters: readonly string[], version: string) => JsonObject;

function pathsOf(version: string, routes: readonly SubresourceRoute[], describe: Describe): JsonObject {
  const entries = routes.map((route): [string, JsonValue] => {
    const path = pathOf(version, route);
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
    return [path, { [route.method.toLowerCase()]: describe(route, parameters, version) }];
  });
  return Object.fromEntries(entries);
}

function pathOf(version: string, { name, isNamespaced }: SubresourceRoute): string {
  const [resource = '', ...words] = name.split('/');
  const root = `/apis/${SUBRESOURCE_GROUP}/${version}`;
  if (!isNamespaced && words.length === 0) return `${root}/${name}`;
  const below = words.length === 0 ? [] : ['{name}', ...words, ...(words[0] === 'portforward' ? ['{port}'] : [])];
  return [root, ...(isNamespaced ? ['namespaces/{namespace}'] : []), resource, ...below].join('/');
}

function operationV3(route: SubresourceRoute, parameters: readonly string[], version: string): JsonObject {
  const { body } = route;
  const schema = body === undefined ? undefined : { $ref: `#/components/schemas/${schemaName(body)}` };
  return {
    ...operation(route, version),
    parameters: parameters.map((name) => ({ name, in: 'path', required: true, schema: TEXT })),
    ...(schema === undefined ? {} : { requestBody: { content: { 'application/json': { schema } } } }),
  };
}

function operationV2(route: SubresourceRoute, parameters: readonly string[], version: string): JsonObject {
  const { body } = route;
  const schema = body === undefined ? undefined : { $ref: `#/definitions/${schemaName(body)}` };
  return {
    ...operation(route, version),
    consumes: ['application/json'],
    produces: ['application/json'],
    schemes: ['https'],
    parameters: [
      ...(schema === undefined ? [] : [{ name: 'body', in: 'body', required: false, schema }]),
      ...parameters.map((name) => ({ name, in: 'path', required: true, type: 'string', uniqueItems: true })),
    ],
  };
}

function operation({ name, kind, method }: SubresourceRoute, version: string): JsonObject {
  const words = [method.toLowerCase(), version, ...name.split(/[/-]/)];
  const operationId = words.map((word, index) => (index === 0 ? word : titleCase(word))).join('');
  const answers = {
    200: { description: 'OK' },
    ...(method === 'PUT' ? { 202: { description: 'Accepted' } } : {}),
    401: { description: 'Unauthorized' },
  };
  if (kind !== 'stream') return { operationId, responses: answers };
  return {
    operationId,
    description: 'A websocket with the subprotocol plain.kubevirt.io.',
    responses: { 101: { description: 'Switching Protocols' }, 401: { description: 'Unauthorized' } },
  };
}

function bodySchema(fields: JsonObject): JsonObject {
  return Object.keys(fields).length === 0 ? { type: 'object' } : { type: 'object', properties: fields };
}

function schemaName(kind: string): string {
  return kind === 'VirtualMachine' ? 'v1.subresource.VirtualMachine' : `v1.${kind}`;
}

function describedText(description: string): JsonObject {
  return { type: 'string', description };
}

function titleCase(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
