import type { WireRecord } from './arbitrary-wire-value.ts';
import type { WireValue } from './interpret.ts';
import type { Field, WireSchema } from './wire-schema.ts';
import type { WireType } from './wire-type.ts';

const TYPE_NAMES = ['', 'int', 'uint', 'llong', 'ullong', 'double', 'boolean', 'string'];

/** What the client's API makes of the fields of a message: UUIDs with dashes, typed parameters as objects, and so on. */
export function publicFields(schema: WireSchema, fields: readonly Field[], value: WireValue): Record<string, unknown> {
  const record = asRecord(value);
  return Object.fromEntries(fields.map(({ name, type }) => [name, publicValue(schema, type, record[name])]));
}

/** What the client's API makes of one value of the wire. */
export function publicValue(schema: WireSchema, type: WireType, value: WireValue): unknown {
  if (value === undefined) return undefined;
  switch (type.kind) {
    case 'uuid':
      return dashed(String(value));
    case 'text':
    case 'fixedText':
      return Buffer.from(asBytes(value)).toString('utf8').replace(/\0.*$/s, '');
    case 'opaque':
    case 'bytes':
      return Buffer.from(asBytes(value));
    case 'struct':
      return publicFields(schema, schema.structs.get(type.name)?.fields ?? [], value);
    case 'optional':
      return publicValue(schema, type.item, value);
    case 'list':
      return asList(value).map((item) => publicValue(schema, type.item, item));
    case 'counters':
      return Object.fromEntries(asList(value).map((item) => [String(asRecord(item)['field']), asRecord(item)['value']]));
    case 'parameters':
      return publicParameters(asList(value).map(asRecord));
    case 'parameterGroups':
      return groups(asList(value).map(asRecord)).map(publicParameters);
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
  const byField = Map.groupBy(asList(value).map(asRecord), (parameter) => String(parameter['field']));
  return Object.fromEntries(
    [...byField].map(([field, parameters]) => [
      field,
      parameters.map((parameter) => ({
        type: TYPE_NAMES[Number(parameter['type'])],
        value: parameterValue(parameter),
      })),
    ]),
  );
}

function publicParameters(parameters: readonly WireRecord[]): Record<string, unknown> {
  const byField = Map.groupBy(parameters, (parameter) => String(parameter['field']));
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

function asRecord(value: WireValue): WireRecord {
  if (typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw new TypeError(`a record is wanted, not ${String(value)}`);
}

function asList(value: WireValue): readonly WireValue[] {
  if (Array.isArray(value)) return [...value];
  throw new TypeError(`a list is wanted, not ${String(value)}`);
}

function asBytes(value: WireValue): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`bytes are wanted, not ${String(value)}`);
}
