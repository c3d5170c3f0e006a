import type { JsonValue } from '@smalt/json';

import type { CelOutcome } from './cel-value.ts';
import { isReservedWord } from './escape-name.ts';

/** What is known about the values of a type beyond their kind: how large they get, and how JSON becomes one. */
interface TypeFacts {
  /** The most elements, entries, characters or bytes that a value can have. */
  readonly maxElements?: number;
  /** The fewest bytes that a value takes as JSON. */
  readonly minSize?: number;
  /** Makes a value of this type from JSON without copying it. */
  readonly convert?: (json: JsonValue) => CelOutcome;
}

export interface SimpleType extends TypeFacts {
  readonly kind:
    | 'dyn'
    | 'error'
    | 'bool'
    | 'int'
    | 'uint'
    | 'double'
    | 'string'
    | 'bytes'
    | 'null'
    | 'timestamp'
    | 'duration';
}

export interface ListType extends TypeFacts {
  readonly kind: 'list';
  readonly element: CelType;
}

export interface MapType extends TypeFacts {
  readonly kind: 'map';
  readonly key: CelType;
  readonly value: CelType;
}

/** A field of an object: its name in JSON and its type. */
export interface ObjectField {
  readonly name: string;
  readonly type: CelType;
}

/** An object with known fields, which are listed by the names that expressions use. */
export interface ObjectType extends TypeFacts {
  readonly kind: 'object';
  readonly name: string;
  readonly fields: ReadonlyMap<string, ObjectField>;
}

export interface OptionalType extends TypeFacts {
  readonly kind: 'optional';
  readonly value: CelType;
}

/** The type of types. */
export interface TypeType extends TypeFacts {
  readonly kind: 'type';
  readonly of?: CelType;
}

/** A type that a library brings; `isStruct` are those that Kubernetes declares as objects. */
export interface OpaqueType extends TypeFacts {
  readonly kind: 'opaque';
  readonly name: string;
  readonly isStruct: boolean;
}

/** Stands for a type that is found out from the arguments of a call. */
export interface ParameterType extends TypeFacts {
  readonly kind: 'parameter';
  readonly name: string;
}

export type CelType =
  | SimpleType
  | ListType
  | MapType
  | ObjectType
  | OptionalType
  | TypeType
  | OpaqueType
  | ParameterType;

export const DYN: SimpleType = { kind: 'dyn' };
export const ERROR: SimpleType = { kind: 'error' };
export const BOOL: SimpleType = { kind: 'bool' };
export const INT: SimpleType = { kind: 'int' };
export const UINT: SimpleType = { kind: 'uint' };
export const DOUBLE: SimpleType = { kind: 'double' };
export const STRING: SimpleType = { kind: 'string' };
export const BYTES: SimpleType = { kind: 'bytes' };
export const NULL: SimpleType = { kind: 'null' };
export const TIMESTAMP: SimpleType = { kind: 'timestamp' };
export const DURATION: SimpleType = { kind: 'duration' };

export function listOf(element: CelType): ListType {
  return { kind: 'list', element };
}

export function mapOf(key: CelType, value: CelType): MapType {
  return { kind: 'map', key, value };
}

export function optionalOf(value: CelType): OptionalType {
  return { kind: 'optional', value };
}

export function typeOf(type: CelType): TypeType {
  return { kind: 'type', of: type };
}

export function opaque(name: string, isStruct = true): OpaqueType {
  return { kind: 'opaque', name, isStruct };
}

export function parameter(name: string): ParameterType {
  return { kind: 'parameter', name };
}

/** The field that an expression means by a name. Reserved words may be written as they are. */
export function fieldOf(type: ObjectType, name: string): ObjectField | undefined {
  const field = type.fields.get(name);
  if (field !== undefined || !isReservedWord(name)) return field;
  return type.fields.get(`__${name}__`);
}

/** Writes a type as error messages show it. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'list':
      return `list(${formatType(type.element)})`;
    case 'map':
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case 'optional':
      return `optional_type(${formatType(type.value)})`;
    case 'type':
      return type.of === undefined ? 'type' : `type(${formatType(type.of)})`;
    case 'object':
    case 'opaque':
    case 'parameter':
      return type.name;
    case 'timestamp':
      return 'timestamp';
    case 'duration':
      return 'duration';
    case 'error':
      return '!error!';
    case 'dyn':
    case 'bool':
    case 'int':
    case 'uint':
    case 'double':
    case 'string':
    case 'bytes':
    case 'null':
      return type.kind;
  }
}
