import { XdrError, type XdrReader, type XdrWriter } from '@smalt/xdr';

import type { Field, WireSchema } from './wire-schema.ts';
import type { WireType } from './wire-type.ts';
import {
  bigintOf,
  bytesOf,
  listOf,
  numberOf,
  recordOf,
  textOf,
  type WireRecord,
  type WireValue,
} from './wire-value.ts';

const TYPED = ['', 'i32', 'u32', 'i64', 'u64', 'double', 'i32', 'string'] as const;

/**
 * Reads and writes values by walking the schema, field by field. It shares nothing with the generated code, so that
 * one can be checked against the other, and it goes both ways, so that a test can play the daemon.
 */
export class SchemaInterpreter {
  readonly #schema: WireSchema;

  constructor(schema: WireSchema) {
    this.#schema = schema;
  }

  readFields(reader: XdrReader, fields: readonly Field[]): WireRecord {
    const read: Record<string, WireValue> = {};
    for (const { name, type } of fields) read[name] = this.read(reader, type);
    return read;
  }

  writeFields(writer: XdrWriter, fields: readonly Field[], value: WireValue): void {
    for (const { name, type } of fields) this.write(writer, type, recordOf(value)[name]);
  }

  read(reader: XdrReader, type: WireType): WireValue {
    switch (type.kind) {
      case 'i32':
        return reader.int32();
      case 'u32':
        return reader.uint32();
      case 'i64':
        return reader.int64();
      case 'u64':
        return reader.uint64();
      case 'string':
        return reader.string();
      case 'uuid':
        return reader.fixedOpaque(16).toString('hex');
      case 'opaque':
        return Uint8Array.from(reader.opaque());
      case 'bytes':
      case 'text':
        return Uint8Array.from({ length: reader.arrayLength() }, () => reader.int32());
      case 'fixedText':
        return Uint8Array.from({ length: type.size }, () => reader.int32());
      case 'struct':
        return this.readFields(reader, this.#fieldsOf(type.name));
      case 'optional':
        return reader.bool() ? this.read(reader, type.item) : undefined;
      case 'list':
        return Array.from({ length: reader.arrayLength() }, () => this.read(reader, type.item));
      case 'parameters':
      case 'parameterGroups':
        return Array.from({ length: reader.arrayLength() }, () => this.#readParameter(reader));
      case 'counters':
        return Array.from({ length: reader.arrayLength() }, () => ({ field: reader.string(), value: reader.uint64() }));
    }
  }

  write(writer: XdrWriter, type: WireType, value: WireValue): void {
    if (type.kind === 'i32' || type.kind === 'u32') writer.uint32(numberOf(value) >>> 0);
    else if (type.kind === 'i64' || type.kind === 'u64') writer.uint64(BigInt.asUintN(64, bigintOf(value)));
    else if (type.kind === 'string') writer.string(textOf(value));
    else if (type.kind === 'uuid') writer.fixedOpaque(Buffer.from(textOf(value), 'hex'), 16);
    else if (type.kind === 'opaque') writer.opaque(bytesOf(value));
    else if (type.kind === 'struct') this.writeFields(writer, this.#fieldsOf(type.name), value);
    else this.#writeMany(writer, type, value);
  }

  #writeMany(writer: XdrWriter, type: WireType, value: WireValue): void {
    if (type.kind === 'optional') {
      writer.uint32(value === undefined ? 0 : 1);
      if (value !== undefined) this.write(writer, type.item, value);
      return;
    }
    if (type.kind === 'bytes' || type.kind === 'text' || type.kind === 'fixedText') {
      if (type.kind !== 'fixedText') writer.uint32(bytesOf(value).length);
      // Half of the daemons sign-extend these bytes, the other half do not.
      for (const byte of bytesOf(value)) writer.int32((byte << 24) >> 24);
      return;
    }
    writer.uint32(listOf(value).length);
    for (const item of listOf(value)) {
      if (type.kind === 'list') this.write(writer, type.item, item);
      else if (type.kind === 'counters') this.writeFields(writer, COUNTER_FIELDS, item);
      else this.#writeParameter(writer, recordOf(item));
    }
  }

  #readParameter(reader: XdrReader): WireValue {
    const field = reader.string();
    const type = reader.int32();
    const kind = kindOf(type);
    return { field, type, value: kind === 'double' ? reader.float64() : this.read(reader, { kind }) };
  }

  #writeParameter(writer: XdrWriter, { field, type, value }: WireRecord): void {
    writer.string(textOf(field));
    writer.int32(numberOf(type));
    const kind = kindOf(numberOf(type));
    if (kind === 'double') writer.float64(numberOf(value));
    else this.write(writer, { kind }, value);
  }

  #fieldsOf(name: string): readonly Field[] {
    const struct = this.#schema.structs.get(name);
    if (!struct) throw new TypeError(`there is no struct ${name}`);
    return struct.fields;
  }
}

const COUNTER_FIELDS: readonly Field[] = [
  { name: 'field', type: { kind: 'string' } },
  { name: 'value', type: { kind: 'u64' } },
];

function kindOf(type: number): 'i32' | 'u32' | 'i64' | 'u64' | 'double' | 'string' {
  const kind = TYPED[type];
  if (kind === undefined || kind === '') throw new XdrError('invalid', `${type} is not a type of typed parameters`);
  return kind;
}
