import { describe, expect, it } from 'vitest';

import { isXdrError, XdrError, XdrReader } from './index.ts';

describe('XdrReader', () => {
  it('reads the example of RFC 4506, section 7', () => {
    const reader = read(
      '0000000973696c6c7970726f6700000000000002000000046c697370000000046a6f686e000000062871756974290000',
    );

    const file = {
      name: reader.string(255),
      kind: reader.int32(),
      interpreter: reader.string(255),
      owner: reader.string(32),
      data: reader.opaque(65_535).toString(),
    };

    reader.end();
    expect(file).toEqual({ name: 'sillyprog', kind: 2, interpreter: 'lisp', owner: 'john', data: '(quit)' });
  });

  it.each<{ title: string; hex: string; value: (reader: XdrReader) => unknown; expected: unknown }>([
    { title: 'uint32', hex: 'fedcba98', value: (reader) => reader.uint32(), expected: 0xfedc_ba98 },
    { title: 'int32', hex: 'fffffffe', value: (reader) => reader.int32(), expected: -2 },
    { title: 'bool', hex: '00000001', value: (reader) => reader.bool(), expected: true },
    { title: 'uint64', hex: 'ffffffffffffffff', value: (reader) => reader.uint64(), expected: 2n ** 64n - 1n },
    { title: 'int64', hex: '8000000000000000', value: (reader) => reader.int64(), expected: -(2n ** 63n) },
    { title: 'float64', hex: 'c05da80000000000', value: (reader) => reader.float64(), expected: -118.625 },
    { title: 'string', hex: '00000003c3a46200', value: (reader) => reader.string(3), expected: 'äb' },
    {
      title: 'a string that is not UTF-8',
      hex: '00000002ff610000',
      value: (reader) => reader.string(),
      expected: '\uFFFDa',
    },
    { title: 'opaque', hex: '0000000101000000', value: (reader) => [...reader.opaque(1)], expected: [1] },
    { title: 'fixed opaque', hex: '01020000', value: (reader) => [...reader.fixedOpaque(2)], expected: [1, 2] },
    { title: 'no fixed opaque', hex: '', value: (reader) => [...reader.fixedOpaque(0)], expected: [] },
    { title: 'an array length', hex: '0000000100000000', value: (reader) => reader.arrayLength(1), expected: 1 },
    { title: 'padding that is not zero', hex: '0000000161ffffff', value: (reader) => reader.string(), expected: 'a' },
  ])('reads $title', ({ hex, value, expected }) => {
    expect(value(read(hex))).toEqual(expected);
  });

  it.each<{ title: string; hex: string; value: (reader: XdrReader) => unknown; code: string; message: string }>([
    {
      title: 'a short word',
      hex: '000000',
      value: (reader) => reader.uint32(),
      code: 'truncated',
      message: '4 bytes wanted at byte 0, but only 3 are left',
    },
    {
      title: 'a short hyper',
      hex: '00000000000000',
      value: (reader) => reader.uint64(),
      code: 'truncated',
      message: '8 bytes',
    },
    {
      title: 'a short double',
      hex: '00000000',
      value: (reader) => reader.float64(),
      code: 'truncated',
      message: '8 bytes',
    },
    {
      title: 'a third boolean',
      hex: '00000002',
      value: (reader) => reader.bool(),
      code: 'invalid',
      message: '2 is not a boolean',
    },
    {
      title: 'a long string',
      hex: '00000003',
      value: (reader) => reader.string(2),
      code: 'too-long',
      message: 'string of 3 is over the limit of 2',
    },
    {
      title: 'long opaque',
      hex: '00000003',
      value: (reader) => reader.opaque(2),
      code: 'too-long',
      message: 'opaque of 3',
    },
    {
      title: 'a long array',
      hex: '00000003',
      value: (reader) => reader.arrayLength(2),
      code: 'too-long',
      message: 'array of 3',
    },
    {
      title: 'a string without its padding',
      hex: '0000000161',
      value: (reader) => reader.string(),
      code: 'truncated',
      message: '4 bytes wanted at byte 4',
    },
    {
      title: 'a string of 4 GiB',
      hex: 'ffffffff61000000',
      value: (reader) => reader.string(),
      code: 'truncated',
      message: '4294967296 bytes wanted',
    },
    {
      title: 'opaque of 4 GiB',
      hex: 'fffffffd61000000',
      value: (reader) => reader.opaque(),
      code: 'truncated',
      message: '4294967296 bytes wanted',
    },
    {
      title: 'opaque of 2 GiB',
      hex: '7fffffff61000000',
      value: (reader) => reader.opaque(),
      code: 'truncated',
      message: '2147483648 bytes wanted',
    },
    {
      title: 'an array of 4 Gi items',
      hex: 'ffffffff00000000',
      value: (reader) => reader.arrayLength(),
      code: 'truncated',
      message: 'array of 4294967295 items, but only 4 bytes',
    },
    {
      title: 'an array of too large items',
      hex: '000000020000000000000000',
      value: (reader) => reader.arrayLength(9, 8),
      code: 'truncated',
      message: 'array of 2 items, but only 8 bytes',
    },
    {
      title: 'fixed opaque beyond the end',
      hex: '01020300',
      value: (reader) => reader.fixedOpaque(5),
      code: 'truncated',
      message: '8 bytes',
    },
    {
      title: 'a negative size',
      hex: '01020300',
      value: (reader) => reader.fixedOpaque(-4),
      code: 'out-of-range',
      message: '-4',
    },
    {
      title: 'a size that is no number',
      hex: '01020300',
      value: (reader) => reader.fixedOpaque(Number.NaN),
      code: 'out-of-range',
      message: 'NaN',
    },
    {
      title: 'trailing bytes',
      hex: '0000000100',
      value: (reader) => [reader.uint32(), reader.end()],
      code: 'trailing',
      message: '1 bytes after the last value',
    },
  ])('refuses $title', ({ hex, value, code, message }) => {
    expect(() => value(read(hex))).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  it('stays within its part of the buffer', () => {
    const buffer = Buffer.from('00000001000000020000000300', 'hex');
    const reader = new XdrReader(buffer, 4, 8);

    expect([reader.remaining, reader.uint32(), reader.remaining]).toEqual([4, 2, 0]);
    expect(() => reader.uint32()).toThrow(XdrError);
  });

  it.each([
    { start: -1, end: 4 },
    { start: 0, end: 5 },
    { start: 3, end: 2 },
    { start: Number.NaN, end: 4 },
  ])('refuses bytes $start to $end of four', ({ start, end }) => {
    expect(() => new XdrReader(Buffer.alloc(4), start, end)).toThrow(expect.objectContaining({ code: 'out-of-range' }));
  });

  it('starts at any byte: alignment counts from its own start', () => {
    const reader = new XdrReader(Buffer.from('ff000000016100000000000002', 'hex'), 1);

    expect([reader.string(), reader.uint32()]).toEqual(['a', 2]);
  });

  it('hands out copies, so that the buffer may be used again', () => {
    const buffer = Buffer.from('000000026162000063640000', 'hex');
    const reader = new XdrReader(buffer);
    const counted = reader.opaque();
    const rest = reader.rest();

    buffer.fill(0x7a);

    expect([counted.toString(), rest.toString(), reader.remaining]).toEqual(['ab', 'cd\0\0', 0]);
  });

  it('tells its errors from others', () => {
    expect([isXdrError(new XdrError('invalid', 'x')), isXdrError(new Error('x'))]).toEqual([true, false]);
  });
});

function read(hex: string): XdrReader {
  return new XdrReader(Buffer.from(hex, 'hex'));
}
