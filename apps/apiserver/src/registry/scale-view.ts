import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { labelSelectorFrom, printLabelSelector } from '@smalt/kubernetes';
import { toScaleManagedFields } from '@smalt/managed-fields';
import type { Resource, ScaleMapping, Schema } from '@smalt/resource';

import { apiVersionOf, metadataOf } from './object-metadata.ts';

/** A Scale as schema: what of it can be written, and owned. */
export const SCALE_SCHEMA: Schema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: { type: 'object', properties: { replicas: { type: 'integer', format: 'int32' } } },
    status: {
      type: 'object',
      properties: { replicas: { type: 'integer', format: 'int32' }, selector: { type: 'string' } },
    },
  },
};

/** The Scale of an object: how many there should be, and how many there are. */
export function scaleOf(resource: Resource, mapping: ScaleMapping, object: JsonObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp, managedFields } = metadataOf(object);
  const paths = { [apiVersionOf(resource)]: mapping.specReplicas };
  const owners = toScaleManagedFields(managedFields, paths);
  const selector = mapping.labelSelector === undefined ? '' : selectorText(readPath(object, mapping.labelSelector));
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp, managedFields: owners };
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: withoutGaps(metadata),
    spec: withoutGaps({ replicas: replicasAt(object, mapping.specReplicas) || undefined }),
    status: withoutGaps({
      replicas: replicasAt(object, mapping.statusReplicas) ?? 0,
      selector: selector === '' ? undefined : selector,
    }),
  };
}

/** The number of replicas at a path; undefined when there is none. */
export function replicasAt(object: JsonObject, path: readonly string[]): number | undefined {
  const value = readPath(object, path);
  return typeof value === 'number' ? value : undefined;
}

/** The object with another value at a path; what is missing on the way is made. */
export function withPath(object: JsonObject, path: readonly string[], value: JsonValue): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return object;
  if (rest.length === 0) return { ...object, [name]: value };
  const inner = Object.hasOwn(object, name) ? object[name] : undefined;
  return { ...object, [name]: withPath(isJsonObject(inner) ? inner : {}, rest, value) };
}

function readPath(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of path) {
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

// A custom resource keeps its selector as text; built-in kinds keep an object, the oldest a plain set of labels.
function selectorText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (!isJsonObject(value)) return '';
  const isSelector = Object.hasOwn(value, 'matchLabels') || Object.hasOwn(value, 'matchExpressions');
  return printLabelSelector(labelSelectorFrom(isSelector ? value : { matchLabels: textsOf(value) }));
}

function textsOf(labels: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function withoutGaps(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const known = Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return Object.fromEntries(known);
}
