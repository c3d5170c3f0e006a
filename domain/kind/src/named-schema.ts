import type { Schema } from '@smalt/resource';

/** A structural schema that still knows the names of its shapes. They are not part of what Kubernetes gets to see. */
export interface NamedSchema extends Omit<Schema, 'properties' | 'additionalProperties' | 'items'> {
  /** The name of the shape. */
  readonly $id?: string;
  /** What the shape is, where `description` says what it is for in this place. */
  readonly title?: string;
  readonly properties?: Readonly<Record<string, NamedSchema>>;
  readonly additionalProperties?: NamedSchema;
  readonly items?: NamedSchema;
}

/** The schema without the names. */
export function withoutNames(schema: NamedSchema): Schema {
  const { $id: _name, title: _title, properties, additionalProperties, items, ...rest } = schema;
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: mapValues(properties, withoutNames) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: withoutNames(additionalProperties) }),
    ...(items === undefined ? {} : { items: withoutNames(items) }),
  };
}

function mapValues<From, To>(values: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
