import type { Schema } from '@smalt/resource';
import { Type, type TProperties, type TSchema } from 'typebox';

/** What a field may have beside its type and meaning: limits, a default, rules, list and map types. */
export type FieldOptions = Pick<
  Schema,
  | 'default'
  | 'format'
  | 'maxItems'
  | 'maxLength'
  | 'maximum'
  | 'minItems'
  | 'minLength'
  | 'minimum'
  | 'nullable'
  | 'pattern'
  | 'x-kubernetes-list-map-keys'
  | 'x-kubernetes-list-type'
  | 'x-kubernetes-map-type'
  | 'x-kubernetes-preserve-unknown-fields'
  | 'x-kubernetes-validations'
>;

/** The pattern of every quantity in Kubernetes. */
export const QUANTITY_PATTERN: string =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

const INT_OR_STRING = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true } as const;

export function text(description: string, options: FieldOptions = {}): TSchema {
  return Type.String({ ...options, description });
}

export function flag(description: string, options: FieldOptions = {}): TSchema {
  return Type.Boolean({ ...options, description });
}

export function integer(description: string, options: FieldOptions = {}): TSchema {
  return Type.Integer({ ...options, description });
}

export function int32(description: string, options: FieldOptions = {}): TSchema {
  return integer(description, { format: 'int32', ...options });
}

export function int64(description: string, options: FieldOptions = {}): TSchema {
  return integer(description, { format: 'int64', ...options });
}

export function decimal(description: string, options: FieldOptions = {}): TSchema {
  return Type.Number({ ...options, description });
}

/** A moment, in RFC 3339. */
export function time(description: string, options: FieldOptions = {}): TSchema {
  return text(description, { format: 'date-time', ...options });
}

/** One of a closed set of words. */
export function choice(values: readonly string[], description: string, options: FieldOptions = {}): TSchema {
  return Type.Enum([...values], { ...options, description });
}

/** An amount with an optional suffix, such as `64Gi` or `500m`; a plain integer is accepted too. */
export function quantity(description: string, options: FieldOptions = {}): TSchema {
  return Type.Unsafe<number | string>({ ...INT_OR_STRING, pattern: QUANTITY_PATTERN, ...options, description });
}

/** A port by number or by name, for example. */
export function intOrString(description: string, options: FieldOptions = {}): TSchema {
  return Type.Unsafe<number | string>({ ...INT_OR_STRING, ...options, description });
}

export function listOf(item: TSchema, description: string, options: FieldOptions = {}): TSchema {
  return Type.Array(item, { ...options, description });
}

/** A list that one writer owns as a whole. */
export function atomicListOf(item: TSchema, description: string, options: FieldOptions = {}): TSchema {
  return listOf(item, description, { ...options, 'x-kubernetes-list-type': 'atomic' });
}

/** A list without duplicates; each writer owns the entries it gave. */
export function setOf(item: TSchema, description: string, options: FieldOptions = {}): TSchema {
  return listOf(item, description, { ...options, 'x-kubernetes-list-type': 'set' });
}

export interface KeyedList {
  readonly item: TSchema;
  /** The fields that tell one entry from another. */
  readonly keys: readonly string[];
}

/** A list whose entries are told apart by some of their fields, so that each entry can have a writer of its own. */
export function keyedListOf(list: KeyedList, description: string, options: FieldOptions = {}): TSchema {
  const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': list.keys } as const;
  return listOf(list.item, description, { ...options, ...keyed });
}

export function mapOf(value: TSchema, description: string, options: FieldOptions = {}): TSchema {
  return Type.Record(Type.String(), value, { ...options, description });
}

/** Amounts by resource name. */
export function quantitiesByName(description: string): TSchema {
  return mapOf(quantity(''), description);
}

/** An object whose fields are not ours to know; they are kept as they are. */
export function anyObject(description: string, options: FieldOptions = {}): TSchema {
  return Type.Object({}, { ...options, description, 'x-kubernetes-preserve-unknown-fields': true });
}

export interface Shape {
  /** The name of its TypeScript type and of its section in the reference. */
  readonly name: string;
  readonly description: string;
  readonly fields: Readonly<Record<string, TSchema>>;
  /** Fields that must be there; all others may be left out. */
  readonly required?: readonly string[];
  readonly options?: FieldOptions;
}

/** An object with a name and known fields. */
export function shape(declaration: Shape): TSchema {
  const { name, description, fields, required = [], options = {} } = declaration;
  const properties: TProperties = {};
  for (const [field, schema] of Object.entries(fields)) {
    properties[field] = required.includes(field) ? schema : Type.Optional(schema);
  }
  return Type.Object(properties, { ...options, $id: name, title: description, description });
}

/** A field that holds a shape, with the meaning it has there. */
export function of(held: TSchema, description: string, options: FieldOptions = {}): TSchema {
  return Type.Unsafe<unknown>({ ...held, ...options, description });
}
