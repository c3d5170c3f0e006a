import { XdrReader, XdrWriter } from '@smalt/xdr';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { FieldNames } from './typed-parameters-field-names.ts';
import { TypedParameterRecords } from './typed-parameters-records.ts';
import { readTypedParameters } from './typed-parameters.ts';

describe('TypedParameterRecords', () => {
  it('reads every record as if it were the only one', () => {
    const field = fc.oneof(fc.constantFrom('state.state', 'cpu.time', '__proto__', 'constructor', ''), fc.string());
    const records = fc.array(fc.array(fc.tuple(field, fc.integer()), { maxLength: 6 }), { maxLength: 6 });

    fc.assert(
      fc.property(records, (given) => {
        const shared = new TypedParameterRecords();
        const reader = new XdrReader(Buffer.concat(given.map(wire)));

        for (const record of given) {
          const alone = readTypedParameters(new XdrReader(wire(record)), 8);
          expect(Object.entries(shared.read(reader, 8))).toEqual(Object.entries(alone));
        }
        reader.end();
      }),
    );
  });

  it('makes a list of a field that is there twice in one record only', () => {
    const reader = new XdrReader(
      Buffer.concat([
        wire([['a', 1]]),
        wire([
          ['a', 2],
          ['a', 3],
        ]),
        wire([['a', 4]]),
      ]),
    );
    const records = new TypedParameterRecords();

    const read = [records.read(reader, 8), records.read(reader, 8), records.read(reader, 8)];

    expect(read).toEqual([{ a: 1 }, { a: [2, 3] }, { a: 4 }]);
  });
});

describe('FieldNames', () => {
  it('gives the very same name when it comes again', () => {
    const names = new FieldNames();
    const reader = new XdrReader(strings('block.0.rd.bytes', 'cpu.time', 'block.0.rd.bytes'));

    const [first, second, third] = [names.read(reader), names.read(reader), names.read(reader)];

    expect(third).toBe(first);
    expect(second.text).toBe('cpu.time');
  });

  it('tells names apart that differ in length or in their last byte only', () => {
    const all = ['a', 'aa', 'aaaa', 'aaab', 'a\0', 'ä', '', '\0'];
    const names = new FieldNames();
    const reader = new XdrReader(strings(...all, ...all));

    const read = [...all, ...all].map(() => names.read(reader).text);

    expect(read).toEqual([...all, ...all]);
  });

  it('reads more names than it can remember, and names of any length', () => {
    const all = Array.from({ length: 5000 }, (_, index) => `vcpu.${index}.${'x'.repeat(index % 200)}`);
    const names = new FieldNames();

    for (let round = 0; round < 2; round++) {
      const reader = new XdrReader(strings(...all));
      expect(all.map(() => names.read(reader).text)).toEqual(all);
    }
  });

  it('refuses a name that is too long for libvirt, or cut off', () => {
    const names = new FieldNames();

    expect(() => names.read(new XdrReader(Buffer.from('ffffffff', 'hex')))).toThrow('is over the limit of 4194304');
    expect(() => names.read(new XdrReader(Buffer.from('0000000561626364', 'hex')))).toThrow('only 0 are left');
  });
});

function wire(record: readonly (readonly [string, number])[]): Buffer {
  const writer = new XdrWriter();
  writer.uint32(record.length);
  for (const [field, value] of record) {
    writer.string(field);
    writer.int32(1);
    writer.int32(value);
  }
  return writer.take();
}

function strings(...texts: string[]): Buffer {
  const writer = new XdrWriter();
  for (const text of texts) writer.string(text);
  return writer.take();
}
