import { XdrError, type XdrReader, type XdrWriter } from '@smalt/xdr';

import { STRING_MAX, writeString } from './wire-string.ts';

/** The wire types of typed parameters. `int`, `uint` and `double` are numbers, `llong` and `ullong` are bigints. */
export type TypedParameterType = 'int' | 'uint' | 'llong' | 'ullong' | 'double' | 'boolean' | 'string';

/** One value of a typed parameter. */
export type TypedParameterValue = number | bigint | boolean | string;

/** A value that brings its own wire type, for a field that the client does not know. */
export type TaggedTypedParameter =
  | { readonly type: 'int' | 'uint' | 'double'; readonly value: number }
  | { readonly type: 'llong' | 'ullong'; readonly value: bigint }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string };

/** Any typed parameters, by field. A field that is there more than once has a list of values. */
export interface TypedParameters {
  readonly [field: string]: TypedParameterValue | readonly TypedParameterValue[] | undefined;
}

/** What a daemon reports: the fields of `Known` when it has them, and fields that are newer than the client. */
export type TypedParameterResult<Known> = Readonly<Partial<Known>> & TypedParameters;

/** What a caller sends: fields of `Known` as plain values, any other field with its type. */
export type TypedParameterInput<Known> = {
  readonly [Field in keyof Known]?: Known[Field] | TaggedTypedParameter | undefined;
} & AnyParameterInput;

interface AnyParameterInput {
  readonly [field: string]: ParameterInput | readonly ParameterInput[] | undefined;
}

type ParameterInput = TypedParameterValue | TaggedTypedParameter;

/** Named 64-bit counters. */
export type Counters<Known> = Readonly<Partial<Known>> & { readonly [field: string]: bigint | undefined };

/** The wire types of fields by name; `unsigned` is `uint` for a number and `ullong` for a bigint. */
export type TypedParameterTypes = ReadonlyMap<string, TypedParameterType | 'unsigned'>;

/** The wire types of the fields that the client knows, and how many parameters a call takes. */
export interface TypedParameterRules {
  readonly types: TypedParameterTypes;
  readonly max: number;
}

const TYPE_NUMBERS = { int: 1, uint: 2, llong: 3, ullong: 4, double: 5, boolean: 6, string: 7 } as const;
/** An empty name, the type, and a value of one word. */
export const MIN_PARAMETER_BYTES = 12;
const MIN_COUNTER_BYTES = 12;

/** Typed parameters while they are being read. */
export type TypedParameterFields = Record<string, TypedParameterValue | TypedParameterValue[]>;

/** Reads a list of at most `max` typed parameters. That `Known` fields have their types is the daemon's promise. */
export function readTypedParameters<Known>(reader: XdrReader, max: number): TypedParameterResult<Known>;
export function readTypedParameters(reader: XdrReader, max: number): TypedParameters {
  const count = reader.arrayLength(max, MIN_PARAMETER_BYTES);
  const fields: TypedParameterFields = {};
  for (let index = 0; index < count; index++) {
    const field = reader.string(STRING_MAX);
    addField(fields, field, readValue(reader));
  }
  return fields;
}

/** Reads sets of typed parameters that follow one another in one list; a field that comes back starts a new set. */
export function readTypedParameterGroups<Known>(reader: XdrReader, max: number): readonly TypedParameterResult<Known>[];
export function readTypedParameterGroups(reader: XdrReader, max: number): readonly TypedParameters[] {
  const count = reader.arrayLength(max, MIN_PARAMETER_BYTES);
  const groups: TypedParameterFields[] = [];
  let current: TypedParameterFields | undefined;
  for (let index = 0; index < count; index++) {
    const field = reader.string(STRING_MAX);
    if (!current || Object.hasOwn(current, field)) groups.push((current = {}));
    addField(current, field, readValue(reader));
  }
  return groups;
}

/** Reads a list of at most `max` names with a 64-bit number each. */
export function readCounters<Known>(reader: XdrReader, max: number): Counters<Known>;
export function readCounters(reader: XdrReader, max: number): Readonly<Record<string, bigint>> {
  const count = reader.arrayLength(max, MIN_COUNTER_BYTES);
  const counters: Record<string, bigint> = {};
  for (let index = 0; index < count; index++) {
    const field = reader.string(STRING_MAX);
    const value = reader.uint64();
    if (counters[field] === undefined) counters[field] = value;
    else setInherited(counters, field, value);
  }
  return counters;
}

/** Writes the parameters that are not `undefined`. Refuses a field of unknown type and a value that does not fit. */
export function writeTypedParameters(
  writer: XdrWriter,
  parameters: AnyParameterInput,
  { types, max }: TypedParameterRules,
): void {
  const start = writer.length;
  writer.uint32(0);
  let count = 0;
  for (const [field, input] of Object.entries(parameters)) {
    if (input === undefined) continue;
    for (const one of isList(input) ? input : [input]) {
      writeParameter(writer, field, tagged(field, one, types));
      count += 1;
    }
  }
  if (count > max) throw new XdrError('too-long', `${count} parameters are over the limit of ${max}`);
  writer.patchUint32(start, count);
}

function isList(input: ParameterInput | readonly ParameterInput[]): input is readonly ParameterInput[] {
  return Array.isArray(input);
}

interface Tagged {
  readonly type: TypedParameterType;
  readonly value: TypedParameterValue;
}

function tagged(field: string, input: ParameterInput, types: TypedParameterTypes): Tagged {
  // Callers in plain JavaScript are not held back by the types.
  if (input === null) throw new XdrError('invalid', `'${field}': null is no value`);
  if (typeof input === 'object') return checkedTag(field, input);
  const type = types.get(field);
  if (type === 'unsigned') return { type: typeof input === 'bigint' ? 'ullong' : 'uint', value: input };
  if (type) return { type, value: input };
  throw new XdrError('invalid', `the type of '${field}' is not known: give it as { type: 'ullong', value: 1n }`);
}

function checkedTag(field: string, input: TaggedTypedParameter): Tagged {
  if (Object.hasOwn(TYPE_NUMBERS, input.type)) return input;
  throw new XdrError('invalid', `'${field}': '${input.type}' is not a type of typed parameters`);
}

function writeParameter(writer: XdrWriter, field: string, { type, value }: Tagged): void {
  writeString(writer, field);
  writer.int32(TYPE_NUMBERS[type]);
  try {
    writeValue(writer, type, value);
  } catch (cause) {
    if (!(cause instanceof XdrError)) throw cause;
    throw new XdrError(cause.code, `'${field}': ${cause.message}`, { cause });
  }
}

function writeValue(writer: XdrWriter, type: TypedParameterType, value: TypedParameterValue): void {
  if ((type === 'int' || type === 'uint' || type === 'double') && typeof value === 'number') {
    if (type === 'int') writer.int32(value);
    else if (type === 'uint') writer.uint32(value);
    else writer.float64(value);
  } else if ((type === 'llong' || type === 'ullong') && typeof value === 'bigint') {
    if (type === 'llong') writer.int64(value);
    else writer.uint64(value);
  } else if (type === 'boolean' && typeof value === 'boolean') writer.int32(value ? 1 : 0);
  else if (type === 'string' && typeof value === 'string') writeString(writer, value);
  else throw new XdrError('invalid', `a ${WANTED[type]} is wanted for type ${type}, not ${describe(value)}`);
}

const WANTED = {
  int: 'number',
  uint: 'number',
  double: 'number',
  llong: 'bigint',
  ullong: 'bigint',
  boolean: 'boolean',
  string: 'string',
} as const;

function describe(value: unknown): string {
  return typeof value === 'bigint' ? `the bigint ${value}n` : `the ${typeof value} ${String(value)}`;
}

/** Reads the type and the value of one typed parameter. */
export function readValue(reader: XdrReader): TypedParameterValue {
  const type = reader.int32();
  switch (type) {
    case 1:
      return reader.int32();
    case 2:
      return reader.uint32();
    case 3:
      return reader.int64();
    case 4:
      return reader.uint64();
    case 5:
      return reader.float64();
    case 6:
      return reader.int32() !== 0;
    case 7:
      return reader.string(STRING_MAX);
    default:
      throw new XdrError('invalid', `${type} is not the type of a typed parameter`);
  }
}

/** Adds a field; one that is there already becomes a list of its values. */
export function addField(fields: TypedParameterFields, field: string, value: TypedParameterValue): void {
  const before = fields[field];
  if (before === undefined) fields[field] = value;
  else if (!Object.hasOwn(fields, field))
    setInherited<TypedParameterValue | TypedParameterValue[]>(fields, field, value);
  else if (Array.isArray(before)) before.push(value);
  else fields[field] = [before, value];
}

// A field with the name of something inherited, `__proto__` above all, must not reach a setter.
function setInherited<Value>(fields: Record<string, Value>, field: string, value: Value): void {
  Object.defineProperty(fields, field, { value, enumerable: true, writable: true, configurable: true });
}
