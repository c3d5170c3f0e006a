import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { goJson, goNumber, type Column, type Resource, type Schema, type Verb } from '@smalt/resource';

import { compileSchema, type CompiledSchema } from './compile-schema.ts';
import { crdStrategy } from './crd-strategy.ts';
import { isMetaField, objectMetaSchema, typeMetaSchemas } from './metadata-schema.ts';
import { printerColumn } from './printer-column.ts';
import { readJsonPath } from './read-json-path.ts';
import { objectAt, objectsAt, textAt, textsAt } from './read-object.ts';
import { scaleMapping } from './scale-mapping.ts';
import { schemaOfVersion } from './schema-of-version.ts';
import { isInvalidJsonPath, StructuralSchemaError } from './structural-schema-error.ts';

const VERBS: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const COLUMN_TYPES: readonly Column['type'][] = ['string', 'integer', 'number', 'boolean', 'date'];

/**
 * Makes a kind that can be served from a CustomResourceDefinition that is valid and has its defaults. Throws when the
 * definition has no such version.
 */
export function crdResource(crd: JsonObject, versionName: string): Resource {
  const spec = objectAt(crd, 'spec');
  const version = versionOf(crd, versionName);
  const names = namesOf(objectAt(spec, 'names'));
  const schema: Schema = schemaOfVersion(version) ?? { type: 'object' };
  const group = textAt(spec, 'group');
  const { scale, status } = objectAt(version, 'subresources');
  const mapping = isJsonObject(scale) ? scaleMapping(scale) : undefined;
  const facts = {
    kind: names.kind,
    isNamespaced: spec['scope'] === 'Namespaced',
    hasStatus: isJsonObject(status),
  };
  return {
    ...names,
    ...facts,
    ...(mapping === undefined ? {} : { scale: mapping }),
    group,
    version: versionName,
    verbs: VERBS,
    isBuiltIn: false,
    schema: publishedSchema(schema, { group, version: versionName, kind: names.kind }),
    columns: columnsOf(version),
    selectableFields: selectableFieldsOf(version),
    strategy: crdStrategy({
      ...facts,
      apiVersion: `${group}/${versionName}`,
      scale: mapping,
      schema: compileWhenUsed(schema),
    }),
    otherSubresources: [],
  };
}

/** The same of all versions that a definition declares, by name, served or not. Each knows the others. */
export function crdResources(crd: JsonObject): ReadonlyMap<string, Resource> {
  const spec = objectAt(crd, 'spec');
  const declared = objectsAt(spec, 'versions');
  const group = textAt(spec, 'group');
  const stored = declared.find(({ storage }) => storage === true);
  const all = new Map<string, Resource>();
  const versions = stored && declared.length > 1 ? { stored: `${group}/${textAt(stored, 'name')}`, all } : undefined;
  return new Map(
    declared.map((version) => {
      const name = textAt(version, 'name');
      const resource = { ...crdResource(crd, name), ...(versions === undefined ? {} : { versions }) };
      all.set(`${group}/${name}`, resource);
      return [name, resource];
    }),
  );
}

function versionOf(crd: JsonObject, versionName: string): JsonObject {
  const versions = objectsAt(objectAt(crd, 'spec'), 'versions');
  const version = versions.find((candidate) => candidate['name'] === versionName);
  if (version !== undefined) return version;
  const name = textAt(objectAt(crd, 'metadata'), 'name');
  throw new StructuralSchemaError('no-such-version', `${name} has no version ${versionName}`);
}

function namesOf(
  names: JsonObject,
): Pick<Resource, 'kind' | 'listKind' | 'plural' | 'singular' | 'shortNames' | 'categories'> {
  const kind = textAt(names, 'kind');
  return {
    kind,
    listKind: textAt(names, 'listKind') || `${kind}List`,
    plural: textAt(names, 'plural'),
    singular: textAt(names, 'singular') || kind.toLowerCase(),
    shortNames: textsAt(names, 'shortNames'),
    categories: textsAt(names, 'categories'),
  };
}

// A server starts with many kinds of which it may never see an object.
function compileWhenUsed(schema: Schema): CompiledSchema {
  let compiled: CompiledSchema | undefined;
  const use = (): CompiledSchema => (compiled ??= compileSchema(schema));
  return {
    prune: (object) => use().prune(object),
    default: (object) => use().default(object),
    validate: (object, options) => use().validate(object, options),
  };
}

function publishedSchema(
  schema: Schema,
  gvk: { readonly group: string; readonly version: string; readonly kind: string },
): Schema {
  return { ...withMetadata(schema, true), 'x-kubernetes-group-version-kind': [gvk] };
}

// The schema of an object, its own or an embedded one, says nothing about metadata; what is published does.
function withMetadata(schema: Schema, isResource: boolean): Schema {
  const properties: Record<string, Schema> = isResource ? { ...typeMetaSchemas, metadata: objectMetaSchema } : {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (isResource && isMetaField(name)) continue;
    properties[name] = withMetadata(property, property['x-kubernetes-embedded-resource'] === true);
  }
  const { items, additionalProperties } = schema;
  return {
    ...schema,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(items === undefined ? {} : { items: withMetadata(items, items['x-kubernetes-embedded-resource'] === true) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: withMetadata(additionalProperties, false) }
      : {}),
  };
}

function columnsOf(version: JsonObject): readonly Column[] {
  const declared = objectsAt(version, 'additionalPrinterColumns');
  if (declared.length === 0) return [ageColumn()];
  const columns: Column[] = [];
  for (const column of declared) {
    const made = columnOf(column);
    // A path that cannot be read is accepted with its definition; the columns end before it, as in Kubernetes.
    if (made === undefined) break;
    columns.push(made);
  }
  return columns;
}

function columnOf(column: JsonObject): Column | undefined {
  const { priority, format } = column;
  try {
    return printerColumn({
      name: textAt(column, 'name'),
      type: COLUMN_TYPES.find((type) => type === column['type']) ?? 'string',
      jsonPath: textAt(column, 'jsonPath'),
      description: textAt(column, 'description'),
      ...(typeof format === 'string' && format !== '' ? { format } : {}),
      ...(typeof priority === 'number' ? { priority } : {}),
    });
  } catch (error) {
    if (isInvalidJsonPath(error)) return undefined;
    throw error;
  }
}

function ageColumn(): Column {
  return printerColumn({
    name: 'Age',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
    description: 'When the object was created. Set by the server.',
  });
}

function selectableFieldsOf(version: JsonObject): ReadonlyMap<string, (object: JsonObject) => string> {
  const fields = new Map<string, (object: JsonObject) => string>();
  for (const field of objectsAt(version, 'selectableFields')) {
    const path = readJsonPath(textAt(field, 'jsonPath'));
    fields.set(textAt(field, 'jsonPath').replace(/^\./, ''), (object) => selectableText(path.first(object)));
  }
  return fields;
}

function selectableText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value);
  return typeof value === 'object' ? goJson(value) : String(value);
}
