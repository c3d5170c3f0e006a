import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import type { Resource } from '@smalt/resource';

const NOTHING: JsonObject = Object.freeze({});

/** The metadata of an object; an empty one when there is none. */
export function metadataOf(object: JsonObject): JsonObject {
  const metadata = object['metadata'];
  return isJsonObject(metadata) ? metadata : NOTHING;
}

/** A field of the metadata that is text; empty when it is not there. */
export function metadataText(object: JsonObject, field: string): string {
  const value = metadataOf(object)[field];
  return typeof value === 'string' ? value : '';
}

/** A field of the metadata that is a number; undefined when it is not there. */
export function metadataNumber(object: JsonObject, field: string): number | undefined {
  const value = metadataOf(object)[field];
  return typeof value === 'number' ? value : undefined;
}

export function finalizersOf(object: JsonObject): readonly string[] {
  const finalizers = metadataOf(object)['finalizers'];
  return Array.isArray(finalizers) ? finalizers.filter((name): name is string => typeof name === 'string') : [];
}

export function isBeingDeleted(object: JsonObject): boolean {
  return metadataText(object, 'deletionTimestamp') !== '';
}

/** The object with some fields of its metadata changed; undefined removes a field. */
export function withMetadata(object: JsonObject, changes: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const metadata: Record<string, JsonValue> = { ...metadataOf(object) };
  for (const [field, value] of Object.entries(changes)) {
    if (value === undefined) delete metadata[field];
    else metadata[field] = value;
  }
  return { ...object, metadata };
}

/** The object with one of its fields replaced; undefined removes it. */
export function withField(object: JsonObject, field: string, value: JsonValue | undefined): JsonObject {
  if (value !== undefined) return { ...object, [field]: value };
  const { [field]: _removed, ...rest } = object;
  return rest;
}

export function apiVersionOf(resource: Pick<Resource, 'group' | 'version'>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

/** The object with the apiVersion and kind of the resource in front, then the metadata, then all else. */
export function inOrder(resource: Resource, object: JsonObject): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = object;
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: metadata ?? {}, ...rest };
}

/** A moment as metadata writes it: UTC, in whole seconds. */
export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
