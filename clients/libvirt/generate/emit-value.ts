import { pascalCase } from './naming.ts';
import type { WireSchema } from './wire-schema.ts';
import { isScalar, type ScalarKind, type WireType } from './wire-type.ts';

interface ScalarCode {
  readonly type: string;
  readonly read: string;
  readonly write: (value: string) => string;
  readonly bytes: number;
}

const SCALAR_CODE: Readonly<Record<ScalarKind, ScalarCode>> = {
  i32: { type: 'number', read: 'reader.int32()', write: (value) => `writer.int32(${value});`, bytes: 4 },
  u32: { type: 'number', read: 'reader.uint32()', write: (value) => `writer.uint32(${value});`, bytes: 4 },
  i64: { type: 'bigint', read: 'reader.int64()', write: (value) => `writer.int64(${value});`, bytes: 8 },
  u64: { type: 'bigint', read: 'reader.uint64()', write: (value) => `writer.uint64(${value});`, bytes: 8 },
  uuid: { type: 'string', read: 'readUuid(reader)', write: (value) => `writeUuid(writer, ${value});`, bytes: 16 },
  string: {
    type: 'string',
    read: 'reader.string(STRING_MAX)',
    write: (value) => `writeString(writer, ${value});`,
    bytes: 4,
  },
};

/** The TypeScript type of a value that the client hands out (`result`) or takes (`argument`). */
export function typeScriptType(type: WireType, use: 'argument' | 'result'): string {
  if (isScalar(type)) return SCALAR_CODE[type.kind].type;
  switch (type.kind) {
    case 'text':
    case 'fixedText':
      return 'string';
    case 'opaque':
    case 'bytes':
      return 'Uint8Array';
    case 'struct':
      return type.name;
    case 'optional':
      return `${typeScriptType(type.item, use)} | undefined`;
    case 'list':
      return `readonly ${typeScriptType(type.item, use)}[]`;
    case 'parameters':
      return `${use === 'argument' ? 'TypedParameterInput' : 'TypedParameterResult'}<${type.set}Parameters>`;
    case 'parameterGroups':
      return `readonly TypedParameterResult<${type.set}Parameters>[]`;
    case 'counters':
      return `Counters<${type.set}Parameters>`;
  }
}

/** An expression that reads a value of `type` from `reader`. */
export function readExpression(type: WireType): string {
  if (isScalar(type)) return SCALAR_CODE[type.kind].read;
  switch (type.kind) {
    case 'opaque':
      return `reader.opaque(${type.max})`;
    case 'bytes':
      return `readWordBytes(reader, ${type.max})`;
    case 'text':
      return `readText(reader, ${type.max})`;
    case 'fixedText':
      return `readFixedText(reader, ${type.size})`;
    case 'struct':
      return `read${type.name}(reader)`;
    case 'optional':
      return `reader.bool() ? ${readExpression(type.item)} : undefined`;
    case 'list':
      return `read${listName(type.item)}(reader, ${type.max})`;
    case 'parameters':
      return `readTypedParameters<${type.set}Parameters>(reader, ${type.max})`;
    case 'parameterGroups':
      return `readTypedParameterGroups<${type.set}Parameters>(reader, ${type.max})`;
    case 'counters':
      return `readCounters<${type.set}Parameters>(reader, ${type.max})`;
  }
}

/** A statement that writes the expression `value` of `type` to `writer`. */
export function writeStatement(type: WireType, value: string): string {
  if (isScalar(type)) return SCALAR_CODE[type.kind].write(value);
  switch (type.kind) {
    case 'opaque':
      return `writer.opaque(${value}, ${type.max});`;
    case 'bytes':
      return `writeWordBytes(writer, ${value}, ${type.max});`;
    case 'struct':
      return `write${type.name}(writer, ${value});`;
    case 'optional':
      return [
        `writer.bool(${value} !== undefined);`,
        `if (${value} !== undefined) ${writeStatement(type.item, value)}`,
      ].join('\n');
    case 'list':
      return `write${listName(type.item)}(writer, ${value}, ${type.max});`;
    case 'parameters':
      return `writeTypedParameters(writer, ${value}, { types: parameterTypes.${type.set}, max: ${type.max} });`;
    case 'text':
    case 'fixedText':
    case 'parameterGroups':
    case 'counters':
      throw new Error(`${type.kind} is never sent by a client`);
  }
}

/** The fewest bytes that a value of `type` can take. */
export function minimumBytes(type: WireType, schema: WireSchema): number {
  if (isScalar(type)) return SCALAR_CODE[type.kind].bytes;
  if (type.kind === 'fixedText') return type.size * 4;
  if (type.kind !== 'struct') return 4;
  const fields = schema.structs.get(type.name)?.fields ?? [];
  return fields.reduce((sum, field) => sum + minimumBytes(field.type, schema), 0);
}

/** The name of a list of such items in the names of its reader and writer: `DomainList`. */
export function listName(item: WireType): string {
  const base = item.kind === 'struct' ? item.name : pascalCase(item.kind);
  return `${base}List`;
}
