import type { GroupVersionKind, Schema } from '@smalt/resource';

import { findMessageType, findPackage, messageType, packageOf } from './catalog.ts';
import { packages } from './generated/packages.gen.ts';
import { parseKindLine } from './kind-line.ts';
import type { FieldType, MessageType, ScalarName } from './message-type.ts';
import { componentName, messageSchema, workingSchema, type SchemaLinks } from './schema-of.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const EXTENSIONS = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';
const OPTIONS = ['DeleteOptions', 'Status', 'WatchEvent'];

const SCALAR_COMPONENTS: ReadonlyMap<ScalarName, readonly [string, Schema]> = new Map([
  ['quantity', ['io.k8s.apimachinery.pkg.api.resource.Quantity', { oneOf: [{ type: 'string' }, { type: 'number' }] }]],
  [
    'intOrString',
    [
      'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
      { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
    ],
  ],
  ['time', [`${META}.Time`, { type: 'string', format: 'date-time' }]],
  ['microtime', [`${META}.MicroTime`, { type: 'string', format: 'date-time' }]],
  ['fields', [`${META}.FieldsV1`, { type: 'object' }]],
  ['raw', ['io.k8s.apimachinery.pkg.runtime.RawExtension', { type: 'object' }]],
  ['json', [`${EXTENSIONS}.JSON`, {}]],
  ['schemaOrArray', [`${EXTENSIONS}.JSONSchemaPropsOrArray`, {}]],
  ['schemaOrBool', [`${EXTENSIONS}.JSONSchemaPropsOrBool`, {}]],
  ['schemaOrStrings', [`${EXTENSIONS}.JSONSchemaPropsOrStringArray`, {}]],
]);

/** Named schemas that refer to one another by `$ref`, as `/openapi/v3` publishes them. */
export type OpenApiComponents = Readonly<Record<string, Schema>>;

/** Every schema that the built-in kinds of a group and version need, lists and options included. */
export function openApiComponents(group: string, version: string): OpenApiComponents {
  const source = findPackage(group, version);
  const components = new Map<string, Schema>();
  for (const name of OPTIONS) addComponent(components, messageType('meta', name));
  for (const line of source?.kinds ?? []) {
    const { kind, subresources, verbs } = parseKindLine(line);
    const apiVersion = group === '' ? version : `${group}/${version}`;
    addKind(components, apiVersion, kind);
    if (verbs.includes('list')) addKind(components, apiVersion, `${kind}List`);
    for (const other of subresources) {
      addKind(components, other.apiVersion === '' ? apiVersion : other.apiVersion, other.kind);
    }
  }
  return Object.fromEntries([...components].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** The schemas of metadata, options and errors, which documents of custom kinds refer to as well. */
export function metaSchemas(): OpenApiComponents {
  const components = new Map<string, Schema>();
  for (const name of [...OPTIONS, 'ObjectMeta', 'ListMeta']) addComponent(components, messageType('meta', name));
  return Object.fromEntries(components);
}

/** The name under which documents publish a built-in kind, such as `io.k8s.api.core.v1.Pod`. */
export function componentNameOf({ group, version, kind }: GroupVersionKind): string | undefined {
  const type = findMessageType(group === '' ? version : `${group}/${version}`, kind);
  return type === undefined ? undefined : componentName(type.package, type.name);
}

/** The whole schema, without `$ref`, of what documents publish under a name such as `io.k8s.api.core.v1.PodSpec`. */
export function schemaOf(component: string): Schema | undefined {
  const dot = component.lastIndexOf('.');
  const source = packages.find((candidate) => candidate.component === component.slice(0, dot));
  const name = component.slice(dot + 1);
  if (source === undefined || !Object.hasOwn(source.types, name)) return undefined;
  return workingSchema(messageType(source.key, name));
}

function addKind(components: Map<string, Schema>, apiVersion: string, kind: string): void {
  const type = findMessageType(apiVersion, kind);
  if (type !== undefined) addComponent(components, type);
}

function addComponent(components: Map<string, Schema>, type: MessageType): void {
  const name = componentName(type.package, type.name);
  if (components.has(name)) return;
  // The place is taken before the schema is made: a schema can refer to itself.
  components.set(name, {});
  const schema = messageSchema(type, linksInto(components));
  components.set(name, type.isKind ? { ...schema, 'x-kubernetes-group-version-kind': [kindOf(type)] } : schema);
}

function linksInto(components: Map<string, Schema>): SchemaLinks {
  return {
    message: (reference: FieldType & { readonly kind: 'message' }) => {
      addComponent(components, messageType(reference.package, reference.name));
      return { allOf: [{ $ref: `#/components/schemas/${componentName(reference.package, reference.name)}` }] };
    },
    scalar: (scalar) => {
      const component = SCALAR_COMPONENTS.get(scalar);
      if (component === undefined) return undefined;
      components.set(component[0], component[1]);
      return { allOf: [{ $ref: `#/components/schemas/${component[0]}` }] };
    },
    isPublished: true,
  };
}

function kindOf(type: MessageType): GroupVersionKind {
  const { group, version } = packageOf(type.package);
  const isOption = OPTIONS.includes(type.name) && type.package === 'meta';
  return { group: isOption ? '' : group, kind: type.name, version };
}
