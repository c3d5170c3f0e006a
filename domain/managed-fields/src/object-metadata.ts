import { isJsonObject, jsonField, type JsonObject, type JsonValue } from '@smalt/json';

import { isEmptyObject } from './json-kind.ts';

export function metadataOf(object: JsonObject): JsonObject {
  const metadata = jsonField(object, 'metadata');
  return isJsonObject(metadata) ? metadata : {};
}

export function managedFieldsOf(object: JsonObject): JsonValue | undefined {
  return jsonField(metadataOf(object), 'managedFields');
}

/** The object without its managed fields, which nobody manages. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  if (!Object.hasOwn(metadata, 'managedFields')) return object;
  const { managedFields: _managedFields, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** The object with these managed fields; without any when there are none. */
export function withManagedFields(object: JsonObject, entries: JsonValue | undefined): JsonObject {
  if (entries === undefined) return withoutManagedFields(object);
  return { ...object, metadata: { ...metadataOf(object), managedFields: entries } };
}

/** An annotation's value; empty when there is none. */
export function annotationOf(object: JsonObject, name: string): string {
  const annotations = jsonField(metadataOf(object), 'annotations');
  const value = isJsonObject(annotations) ? jsonField(annotations, name) : undefined;
  return typeof value === 'string' ? value : '';
}

/** The object with this annotation set, or removed. */
export function withAnnotation(object: JsonObject, name: string, value: string | undefined): JsonObject {
  const metadata = metadataOf(object);
  const current = jsonField(metadata, 'annotations');
  const { [name]: _old, ...rest } = isJsonObject(current) ? current : {};
  const annotations = value === undefined ? rest : { ...rest, [name]: value };
  if (isEmptyObject(annotations) && !isJsonObject(current)) return object;
  return { ...object, metadata: { ...metadata, annotations } };
}
