import { forbidden, invalid, required, type FieldError, type Schema } from '@smalt/resource';

/** Where in a schema a part of it stands; the root has rules of its own. */
export type SchemaLevel = 'root' | 'item' | 'field';

/** What a schema may not say about the fields that all objects have. */
export function checkMetadataSchemas(schema: Schema, level: SchemaLevel, path: string): FieldError[] {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isResource = level === 'root' || isEmbedded;
  const errors = isResource ? checkTypeMeta(schema, path) : [];
  const metadata = propertyOf(schema, 'metadata');
  if (metadata !== undefined)
    errors.push(...checkMetadata(metadata, level, `${path}.properties[metadata]`, isResource));
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  if (isEmbedded && isEmpty && schema['x-kubernetes-preserve-unknown-fields'] !== true) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(`${path}.properties`, detail));
  }
  return errors;
}

function checkTypeMeta(schema: Schema, path: string): FieldError[] {
  return ['kind', 'apiVersion'].flatMap((name) => {
    const property = propertyOf(schema, name);
    if (property === undefined || property.type === 'string') return [];
    return [invalid(`${path}.properties[${name}].type`, property.type ?? '', 'must be string')];
  });
}

function checkMetadata(metadata: Schema, level: SchemaLevel, path: string, isResource: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (isResource && metadata.type !== 'object') {
    errors.push(invalid(`${path}.type`, metadata.type ?? '', 'must be object'));
  }
  if (level === 'root' && !isPlainMetadata(metadata)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbidden(path, detail));
  }
  return errors;
}

function isPlainMetadata(metadata: Schema): boolean {
  const names = Object.keys(metadata.properties ?? {});
  if (names.some((name) => name !== 'name' && name !== 'generateName')) return false;
  return Object.entries(metadata).every(([key, value]) => {
    return key === 'type' || key === 'properties' || key === 'default' || isNothing(value);
  });
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return Array.isArray(value) && value.length === 0;
}

function propertyOf(schema: Schema, name: string): Schema | undefined {
  const { properties } = schema;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
