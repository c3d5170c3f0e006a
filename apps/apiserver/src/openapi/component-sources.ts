import { componentNameOf, metaSchemas, openApiComponents } from '@smalt/kubernetes-api';
import type { GroupVersionKind, Resource, Schema } from '@smalt/resource';

import type { Components } from './document-v3.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const API_VERSION: Schema = {
  type: 'string',
  description: 'The version of the schema that this object is written in, such as `v1` or `apps/v1`.',
};
const KIND: Schema = { type: 'string', description: 'The kind of this object, in CamelCase.' };

/** The schemas that the document of a group and version needs. */
export function componentsOf(group: string, version: string, resources: readonly Resource[]): Components {
  const schemas = new Map<string, Schema>();
  if (resources.some((resource) => resource.isBuiltIn)) {
    for (const [name, schema] of Object.entries(openApiComponents(group, version))) schemas.set(name, schema);
  } else {
    for (const [name, schema] of Object.entries(metaSchemas())) schemas.set(name, schema);
  }
  const names = new Map<string, string>();
  for (const resource of resources) if (!resource.isBuiltIn) addCustom(resource, schemas, names);
  addScale(resources, schemas);
  return { schemas, nameOf: (gvk) => names.get(keyOf(gvk)) ?? publishedName(gvk, schemas) };
}

function publishedName(gvk: GroupVersionKind, schemas: ReadonlyMap<string, Schema>): string | undefined {
  const name = componentNameOf(gvk);
  return name !== undefined && schemas.has(name) ? name : undefined;
}

function addScale(resources: readonly Resource[], schemas: Map<string, Schema>): void {
  if (!resources.some((resource) => !resource.isBuiltIn && resource.scale !== undefined)) return;
  for (const [name, schema] of Object.entries(openApiComponents('autoscaling', 'v1'))) {
    if (name.includes('.Scale')) schemas.set(name, schema);
  }
}

function addCustom(resource: Resource, schemas: Map<string, Schema>, names: Map<string, string>): void {
  const { group, version, kind, listKind } = resource;
  const prefix = `${group.split('.').toReversed().join('.')}.${version}`;
  const name = `${prefix}.${kind}`;
  schemas.set(name, published(resource));
  names.set(keyOf({ group, version, kind }), name);
  schemas.set(`${prefix}.${listKind}`, listSchema(resource, name));
  names.set(keyOf({ group, version, kind: listKind }), `${prefix}.${listKind}`);
}

function published(resource: Resource): Schema {
  const { group, version, kind, schema } = resource;
  const properties = { ...schema.properties, apiVersion: API_VERSION, kind: KIND, metadata: linkTo('ObjectMeta') };
  return { ...schema, type: 'object', properties, 'x-kubernetes-group-version-kind': [{ group, kind, version }] };
}

function listSchema({ group, version, kind, listKind }: Resource, item: string): Schema {
  return {
    type: 'object',
    description: `${listKind} is a list of ${kind}`,
    required: ['items'],
    properties: {
      apiVersion: API_VERSION,
      items: { type: 'array', items: { allOf: [{ $ref: `#/components/schemas/${item}` }] } },
      kind: KIND,
      metadata: linkTo('ListMeta'),
    },
    'x-kubernetes-group-version-kind': [{ group, kind: listKind, version }],
  };
}

function linkTo(name: string): Schema {
  return { description: 'What identifies the object.', allOf: [{ $ref: `#/components/schemas/${META}.${name}` }] };
}

function keyOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}
