import type { CelType } from './cel-type.ts';
import {
  CelDuration,
  CelFailure,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  typeNameOf,
  type CelOutcome,
  type CelValue,
} from './cel-value.ts';

/** One way to call a function: with these types of arguments it returns that type. */
export interface Overload {
  readonly id: string;
  readonly isMember: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  /** Computes a result; the receiver of a member call is the first argument. */
  readonly call: (args: readonly CelValue[]) => CelOutcome;
}

/** The functions of a library, by name. */
export type Library = Readonly<Record<string, readonly Overload[]>>;

/** A kind of argument: what the checker calls it and how it is recognised when the expression runs. */
export interface Kind<Value extends CelValue> {
  readonly type: CelType;
  readonly is: (value: CelValue) => value is Value;
}

type ValuesOf<Kinds extends readonly Kind<CelValue>[]> = {
  [Index in keyof Kinds]: Kinds[Index] extends Kind<infer Value> ? Value : never;
};

/** A function that is called as `name(arguments)`. */
export function plain<const Kinds extends readonly Kind<CelValue>[]>(
  id: string,
  kinds: Kinds,
  result: CelType,
  call: (...args: ValuesOf<Kinds>) => CelOutcome,
): Overload {
  return { id, isMember: false, parameters: kinds.map(({ type }) => type), result, call: guarded(kinds, call) };
}

/** A function that is called as `receiver.name(arguments)`; the kind of the receiver comes first. */
export function member<const Kinds extends readonly Kind<CelValue>[]>(
  id: string,
  kinds: Kinds,
  result: CelType,
  call: (...args: ValuesOf<Kinds>) => CelOutcome,
): Overload {
  return { id, isMember: true, parameters: kinds.map(({ type }) => type), result, call: guarded(kinds, call) };
}

function guarded<Kinds extends readonly Kind<CelValue>[]>(
  kinds: Kinds,
  call: (...args: ValuesOf<Kinds>) => CelOutcome,
): Overload['call'] {
  return (args) => {
    if (!hasKinds(args, kinds)) return new CelFailure('no such overload');
    return call(...args);
  };
}

function hasKinds<Kinds extends readonly Kind<CelValue>[]>(
  args: readonly CelValue[],
  kinds: Kinds,
): args is ValuesOf<Kinds> {
  return args.length === kinds.length && kinds.every((kind, index) => kind.is(args[index] ?? null));
}

/** Whether a value is of a type as far as that can be seen without looking into lists and maps. */
export function isOfType(value: CelValue, type: CelType): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'error':
    case 'parameter':
      return true;
    case 'null':
      return value === null;
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return typeof value === 'bigint';
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'bytes':
      return value instanceof Uint8Array;
    case 'uint':
      return value instanceof CelUint;
    case 'timestamp':
      return value instanceof CelTimestamp;
    case 'duration':
      return value instanceof CelDuration;
    case 'list':
      return value instanceof CelList && isOfElementType(value, type.element);
    case 'map':
    case 'object':
      return value instanceof CelMap;
    case 'optional':
      return value instanceof CelOptional;
    case 'type':
      return value instanceof CelTypeValue;
    case 'opaque':
      return value instanceof CelOpaque && value.typeName === type.name;
  }
}

// Lists choose between overloads such as those of sum() by what they hold; the first element tells.
function isOfElementType(list: CelList, element: CelType): boolean {
  if (list.size === 0 || element.kind === 'dyn' || element.kind === 'parameter') return true;
  const first = list.at(0);
  return first instanceof CelFailure || isOfType(first, element);
}

/** The failure of a call for whose arguments there is no overload. */
export function noSuchOverload(name: string, args: readonly CelValue[]): CelFailure {
  if (/^[-_!@]/.test(name)) return new CelFailure('no such overload');
  return new CelFailure(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
}
