import { XdrReader, XdrWriter } from '@smalt/xdr';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  readCounters,
  readTypedParameterGroups,
  readTypedParameters,
  writeTypedParameters,
  type TypedParameterInput,
  type TypedParameters,
} from './typed-parameters.ts';

const TYPES = new Map([
  ['count', 'int'],
  ['weight', 'uint'],
  ['offset', 'llong'],
  ['bandwidth', 'ullong'],
  ['load', 'double'],
  ['enabled', 'boolean'],
  ['disks', 'string'],
  ['grow', 'unsigned'],
] as const);

interface Known {
  readonly count: number;
  readonly weight: number;
  readonly offset: bigint;
  readonly bandwidth: bigint;
  readonly load: number;
  readonly enabled: boolean;
  readonly disks: readonly string[];
  readonly grow: number | bigint;
}

describe('writeTypedParameters', () => {
  it('gives known fields their types', () => {
    const written = roundTrip({ count: -1, weight: 2, offset: -3n, bandwidth: 4n, load: 0.5, enabled: true });

    expect(written).toEqual({ count: -1, weight: 2, offset: -3n, bandwidth: 4n, load: 0.5, enabled: true });
  });

  it('refuses a number for a field of 64 bits, and so does the compiler', () => {
    // @ts-expect-error: the field wants a bigint.
    expect(() => roundTrip({ bandwidth: 4 })).toThrow('a bigint is wanted');
  });

  it('repeats a field with a list of values', () => {
    expect(roundTrip({ disks: ['vda', 'vdb'] })).toEqual({ disks: ['vda', 'vdb'] });
  });

  it('leaves out fields that are undefined', () => {
    expect(roundTrip({ count: undefined, weight: 2 })).toEqual({ weight: 2 });
  });

  it('takes unknown fields that bring their type', () => {
    expect(roundTrip({ newer: { type: 'ullong', value: 3n } })).toEqual({ newer: 3n });
  });

  it('lets a known field bring another type, for a daemon that wants it', () => {
    expect(typeOnTheWire({ count: { type: 'ullong', value: 3n } })).toBe(4);
  });

  it.each([
    { grow: 2, type: 2 },
    { grow: 2n, type: 4 },
  ])('sends $grow as type $type where the field is of either size', ({ grow, type }) => {
    expect(typeOnTheWire({ grow })).toBe(type);
  });

  it.each<{ parameters: TypedParameterInput<Known>; error: string }>([
    {
      parameters: { newer: 3n },
      error: "the type of 'newer' is not known: give it as { type: 'ullong', value: 1n }",
    },
    {
      parameters: { bandwidth: 4 as unknown as bigint },
      error: "'bandwidth': a bigint is wanted for type ullong, not the number 4",
    },
    {
      parameters: { count: 4n as unknown as number },
      error: "'count': a number is wanted for type int, not the bigint 4n",
    },
    { parameters: { count: 2 ** 31 }, error: "'count': 2147483648 is not a 32-bit integer" },
    { parameters: { weight: -1 }, error: "'weight': -1 is not an unsigned 32-bit integer" },
    { parameters: { weight: 1.5 }, error: "'weight': 1.5 is not an unsigned 32-bit integer" },
    { parameters: { bandwidth: -1n }, error: "'bandwidth': -1 is not an unsigned 64-bit integer" },
    { parameters: { enabled: 1 as unknown as boolean }, error: "'enabled': a boolean is wanted" },
    { parameters: { disks: [1] as unknown as string[] }, error: "'disks': a string is wanted" },
    { parameters: { count: null as unknown as number }, error: "'count': null is no value" },
    {
      parameters: { newer: { type: 'long', value: 1 } as unknown as number },
      error: "'newer': 'long' is not a type of typed parameters",
    },
    { parameters: { disks: ['a', 'b', 'c', 'd', 'e'] }, error: '5 parameters are over the limit of 4' },
  ])('refuses $parameters with the name of the field', ({ parameters, error }) => {
    expect(() => writeTypedParameters(new XdrWriter(), parameters, { types: TYPES, max: 4 })).toThrow(error);
  });
});

describe('readTypedParameters', () => {
  it('gives what was written, for any fields and values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), taggedValue(), { maxKeys: 8 }), (parameters) => {
        const expected = Object.fromEntries(Object.entries(parameters).map(([field, { value }]) => [field, value]));

        expect(roundTrip(parameters)).toEqual(expected);
      }),
    );
  });

  it('keeps a field called __proto__ apart from the prototype', () => {
    const read = readTypedParameters(new XdrReader(wire(['__proto__', 1, 7], ['toString', 1, 8])), 4);

    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.entries(read)).toEqual([
      ['__proto__', 7],
      ['toString', 8],
    ]);
  });

  it('reads as many values of one field as a list can have', () => {
    const count = 262_144;
    const writer = new XdrWriter();
    writer.arrayLength(count);
    for (let index = 0; index < count; index++) {
      writer.string('vcpu');
      writer.int32(1);
      writer.int32(index);
    }

    const { vcpu } = readTypedParameters<{ vcpu: readonly number[] }>(new XdrReader(writer.take()), count);

    expect(vcpu).toHaveLength(count);
    expect(vcpu?.at(-1)).toBe(count - 1);
  });

  it('takes any number but 0 for true', () => {
    expect(readTypedParameters(new XdrReader(wire(['yes', 6, 5], ['no', 6, 0])), 4)).toEqual({ yes: true, no: false });
  });

  it('refuses a type that there is not', () => {
    expect(() => readTypedParameters(new XdrReader(wire(['count', 8, 1])), 4)).toThrow(
      '8 is not the type of a typed parameter',
    );
  });

  it('refuses more parameters than the call can have', () => {
    expect(() => readTypedParameters(new XdrReader(wire(['a', 1, 1], ['b', 1, 1])), 1)).toThrow(
      'array of 2 is over the limit of 1',
    );
  });

  it('refuses a count that the bytes cannot hold', () => {
    expect(() => readTypedParameters(new XdrReader(Buffer.from('000003e8', 'hex')), 4096)).toThrow(
      'array of 1000 items, but only 0 bytes are left',
    );
  });
});

it('readTypedParameterGroups starts a group with every field that comes back', () => {
  const bytes = wire(['cpu', 1, 1], ['vcpu', 1, 2], ['cpu', 1, 3], ['vcpu', 1, 4], ['cpu', 1, 5]);

  expect(readTypedParameterGroups(new XdrReader(bytes), 8)).toEqual([
    { cpu: 1, vcpu: 2 },
    { cpu: 3, vcpu: 4 },
    { cpu: 5 },
  ]);
});

it('readCounters gives numbers by name', () => {
  const writer = new XdrWriter();
  writer.uint32(2);
  for (const name of ['kernel', '__proto__']) {
    writer.string(name);
    writer.uint64(9n);
  }

  expect(Object.entries(readCounters(new XdrReader(writer.take()), 2))).toEqual([
    ['kernel', 9n],
    ['__proto__', 9n],
  ]);
});

function roundTrip(parameters: TypedParameterInput<Known>): TypedParameters {
  const writer = new XdrWriter();
  writeTypedParameters(writer, parameters, { types: TYPES, max: 16 });
  const reader = new XdrReader(writer.take());
  const read = readTypedParameters(reader, 16);
  reader.end();
  return read;
}

function typeOnTheWire(parameters: TypedParameterInput<Known>): number {
  const writer = new XdrWriter();
  writeTypedParameters(writer, parameters, { types: TYPES, max: 16 });
  const reader = new XdrReader(writer.take());
  reader.uint32();
  reader.string();
  return reader.int32();
}

function wire(...parameters: [field: string, type: number, value: number][]): Buffer {
  const writer = new XdrWriter();
  writer.uint32(parameters.length);
  for (const [field, type, value] of parameters) {
    writer.string(field);
    writer.int32(type);
    writer.int32(value);
  }
  return writer.take();
}

type Tagged = { type: 'int'; value: number } | { type: 'ullong'; value: bigint } | { type: 'string'; value: string };

function taggedValue(): fc.Arbitrary<Tagged> {
  return fc.oneof(
    fc.record({ type: fc.constant('int' as const), value: fc.integer() }),
    fc.record({ type: fc.constant('ullong' as const), value: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) }),
    fc.record({ type: fc.constant('string' as const), value: textWithoutNul() }),
  );
}

function textWithoutNul(): fc.Arbitrary<string> {
  return fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));
}
