import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import type { ParameterSet } from './parse-parameter-sets.ts';
import type { Schema } from './read-schema.ts';
import type { Field } from './wire-schema.ts';
import { isScalar, type ScalarKind, type WireType } from './wire-type.ts';
import type { WireRecord, WireValue } from './wire-value.ts';

const INT = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff });
const UINT = fc.nat(0xffff_ffff);
const LLONG = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const ULLONG = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
// A string ends at its first NUL where it was written in C, so there is none in it.
const TEXT = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\0', ''));
const LIST_LENGTH = 5;

const SCALARS: Readonly<Record<ScalarKind, Arbitrary<WireValue>>> = {
  i32: INT,
  u32: UINT,
  i64: LLONG,
  u64: ULLONG,
  string: TEXT,
  uuid: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex')),
};

/** Any values of these fields, in the shape of the wire. */
export function arbitraryFields(schema: Schema, fields: readonly Field[]): Arbitrary<WireRecord> {
  return fc.record(Object.fromEntries(fields.map(({ name, type }) => [name, arbitraryValue(schema, type)])));
}

function arbitraryValue(schema: Schema, type: WireType): Arbitrary<WireValue> {
  if (isScalar(type)) return SCALARS[type.kind];
  switch (type.kind) {
    case 'opaque':
    case 'bytes':
    case 'text':
      return fc.uint8Array({ maxLength: 20 });
    case 'fixedText':
      return fc.uint8Array({ minLength: type.size, maxLength: type.size });
    case 'struct':
      return arbitraryFields(schema, schema.wire.structs.get(type.name)?.fields ?? []);
    case 'optional':
      return fc.option(arbitraryValue(schema, type.item), { nil: undefined });
    case 'list':
      return fc.array(arbitraryValue(schema, type.item), { maxLength: LIST_LENGTH });
    case 'counters':
      return fc.uniqueArray(fc.record({ field: fieldName(schema, type.set), value: ULLONG }), {
        selector: ({ field }) => field,
        maxLength: LIST_LENGTH,
      });
    case 'parameters':
    case 'parameterGroups':
      return fc.array(arbitraryParameter(schema, type.set), { maxLength: LIST_LENGTH });
  }
}

// Names that are in the set, names that are not, and names that objects have anyway.
function fieldName(schema: Schema, set: string): Arbitrary<string> {
  const known = schema.parameterSets.get(set)?.fields.map((field) => field.name) ?? [];
  const other = fc.constantFrom('__proto__', 'constructor', 'toString', '', 'x'.repeat(200));
  return fc.oneof(
    fc.constantFrom(...known),
    fc.string({ unit: 'grapheme', maxLength: 9 }).map((name) => `x${name}`),
    other,
  );
}

function arbitraryParameter(schema: Schema, set: string): Arbitrary<WireRecord> {
  return fieldName(schema, set).chain((field) => {
    const wanted = wireTypes(schema.parameterSets.get(set), field);
    return fc.oneof(...wanted.map((type) => fc.record({ field: fc.constant(field), ...PARAMETERS[type] })));
  });
}

type ParameterType = 'int' | 'uint' | 'llong' | 'ullong' | 'double' | 'boolean' | 'string';

interface ParameterModel {
  readonly type: Arbitrary<number>;
  readonly value: Arbitrary<WireValue>;
}

const PARAMETERS: Readonly<Record<ParameterType, ParameterModel>> = {
  int: { type: fc.constant(1), value: INT },
  uint: { type: fc.constant(2), value: UINT },
  llong: { type: fc.constant(3), value: LLONG },
  ullong: { type: fc.constant(4), value: ULLONG },
  double: { type: fc.constant(5), value: fc.double({ noNaN: true }) },
  boolean: { type: fc.constant(6), value: fc.nat(1) },
  string: { type: fc.constant(7), value: TEXT },
};

const ANY_TYPE: readonly ParameterType[] = ['int', 'uint', 'llong', 'ullong', 'double', 'boolean', 'string'];

function wireTypes(set: ParameterSet | undefined, field: string): readonly ParameterType[] {
  const type = set?.fields.find(({ name }) => name === field)?.type;
  if (type === 'unsigned') return ['uint', 'ullong'];
  return type ? [type] : ANY_TYPE;
}
