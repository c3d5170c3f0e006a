import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

export const NAMESPACE = 'chaos';
const GROUP = 'chaos.smalt.dev';

/** A kind of object that carries one number. */
export interface RecordKind {
  readonly plural: string;
  /** Where its objects are. */
  readonly path: string;
  make(name: string, value: number): JsonObject;
  /** The part of a merge patch that sets the number. */
  patch(value: number): JsonObject;
  valueOf(object: JsonObject): number;
}

/** A custom kind and a built-in one. */
export const RECORD_KINDS: readonly RecordKind[] = [
  {
    plural: 'records',
    path: `/apis/${GROUP}/v1/namespaces/${NAMESPACE}/records`,
    make: (name, value) => ({ apiVersion: `${GROUP}/v1`, kind: 'Record', metadata: { name }, spec: { value } }),
    patch: (value) => ({ spec: { value } }),
    valueOf: (object) => Number(fieldOf(object['spec'], 'value')),
  },
  {
    plural: 'configmaps',
    path: `/api/v1/namespaces/${NAMESPACE}/configmaps`,
    make: (name, value) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { value: String(value) },
    }),
    patch: (value) => ({ data: { value: String(value) } }),
    valueOf: (object) => Number(fieldOf(object['data'], 'value')),
  },
];

/** Declares the custom kind. */
export function recordDefinition(): JsonObject {
  const spec = { type: 'object', required: ['value'], properties: { value: { type: 'integer', minimum: 0 } } };
  const schema = { openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `records.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'records', singular: 'record', kind: 'Record', listKind: 'RecordList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

/** A text of an object's metadata, or nothing. */
export function metadataText(object: JsonObject, name: string): string {
  const value = fieldOf(object['metadata'], name);
  return typeof value === 'string' ? value : '';
}

function fieldOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return value !== undefined && isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
