import type { JsonValue } from '@smalt/json';

/** The parts of a schema that say how its values look to an expression. */
export interface SchemaLike {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaLike>>;
  readonly additionalProperties?: boolean | SchemaLike;
  readonly items?: SchemaLike;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

const STRING_SCHEMA: SchemaLike = { type: 'string' };

/** The schema of a resource with what every resource has, and nothing else of its metadata unless all of it is there. */
export function withObjectMeta(schema: SchemaLike): SchemaLike {
  const own = schema.properties ?? {};
  const metadata = Object.hasOwn(own, 'metadata') ? own['metadata'] : undefined;
  const isComplete =
    typeAt(own, 'kind') === 'string' &&
    typeAt(own, 'apiVersion') === 'string' &&
    metadata?.type === 'object' &&
    typeAt(metadata.properties, 'name') === 'string' &&
    typeAt(metadata.properties, 'generateName') === 'string';
  if (isComplete) return schema;
  const properties = {
    ...own,
    kind: STRING_SCHEMA,
    apiVersion: STRING_SCHEMA,
    metadata: { type: 'object', properties: { name: STRING_SCHEMA, generateName: STRING_SCHEMA } },
  };
  return { ...schema, properties };
}

function typeAt(properties: SchemaLike['properties'], name: string): string | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
}
