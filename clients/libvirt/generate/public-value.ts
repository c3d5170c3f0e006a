import type { Field, WireSchema } from './wire-schema.ts';
import type { WireType } from './wire-type.ts';
import { bytesOf, listOf, numberOf, recordOf, textOf, type WireRecord, type WireValue } from './wire-value.ts';

const TYPE_NAMES = ['', 'int', 'uint', 'llong', 'ullong', 'double', 'boolean', 'string'];

/** What the client's API makes of the fields of a message: UUIDs with dashes, typed parameters as objects, and so on. */
export function publicFields(schema: WireSchema, fields: readonly Field[], value: WireValue): Record<string, unknown> {
  const record = recordOf(value);
  return Object.fromEntries(fields.map(({ name, type }) => [name, publicValue(schema, type, record[name])]));
}

/** What the client's API makes of one value of the wire. */
export function publicValue(schema: WireSchema, type: WireType, value: WireValue): unknown {
  if (value === undefined) return undefined;
  switch (type.kind) {
    case 'uuid':
      return dashed(textOf(value));
    case 'text':
    case 'fixedText':
      return Buffer.from(bytesOf(value)).toString('utf8').replace(/\0.*$/s, '');
    case 'opaque':
    case 'bytes':
      return Buffer.from(bytesOf(value));
    case 'struct':
      return publicFields(schema, schema.structs.get(type.name)?.fields ?? [], value);
    case 'optional':
      return publicValue(schema, type.item, value);
    case 'list':
      return listOf(value).map((item) => publicValue(schema, type.item, item));
    case 'counters':
      return Object.fromEntries(
        listOf(value).map((item) => [textOf(recordOf(item)['field']), recordOf(item)['value']]),
      );
    case 'parameters':
      return publicParameters(listOf(value).map(recordOf));
    case 'parameterGroups':
      return groups(listOf(value).map(recordOf)).map(publicParameters);
    case 'i32':
    case 'u32':
    case 'i64':
    case 'u64':
    case 'string':
      return value;
  }
}

/** Typed parameters as a caller gives them, every one with its type. */
export function taggedParameters(value: WireValue): Record<string, unknown> {
  const byField = Map.groupBy(listOf(value).map(recordOf), (parameter) => textOf(parameter['field']));
  return Object.fromEntries(
    [...byField].map(([field, parameters]) => [
      field,
      parameters.map((parameter) => ({
        type: TYPE_NAMES[numberOf(parameter['type'])],
        value: parameterValue(parameter),
      })),
    ]),
  );
}

function publicParameters(parameters: readonly WireRecord[]): Record<string, unknown> {
  const byField = Map.groupBy(parameters, (parameter) => textOf(parameter['field']));
  return Object.fromEntries(
    [...byField].map(([field, found]) => {
      const values = found.map(parameterValue);
      return [field, values.length === 1 ? values[0] : values];
    }),
  );
}

function parameterValue({ type, value }: WireRecord): unknown {
  return type === 6 ? value !== 0 : value;
}

function groups(parameters: readonly WireRecord[]): WireRecord[][] {
  const all: WireRecord[][] = [];
  for (const parameter of parameters) {
    const last = all.at(-1);
    const isNew = !last || last.some((other) => other['field'] === parameter['field']);
    if (isNew) all.push([parameter]);
    else last.push(parameter);
  }
  return all;
}

function dashed(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
