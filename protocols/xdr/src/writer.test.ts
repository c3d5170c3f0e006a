import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { XdrError, XdrWriter } from './index.ts';

describe('XdrWriter', () => {
  it.each<{ title: string; write: (writer: XdrWriter) => void; hex: string }>([
    { title: 'uint32', write: (writer) => writer.uint32(0xfedc_ba98), hex: 'fedcba98' },
    { title: 'int32', write: (writer) => writer.int32(-2), hex: 'fffffffe' },
    { title: 'false', write: (writer) => writer.bool(false), hex: '00000000' },
    { title: 'true', write: (writer) => writer.bool(true), hex: '00000001' },
    { title: 'uint64', write: (writer) => writer.uint64(2n ** 64n - 1n), hex: 'ffffffffffffffff' },
    { title: 'int64', write: (writer) => writer.int64(-(2n ** 63n)), hex: '8000000000000000' },
    { title: 'float64', write: (writer) => writer.float64(-118.625), hex: 'c05da80000000000' },
    { title: 'a string with padding', write: (writer) => writer.string('äb'), hex: '00000003c3a46200' },
    { title: 'an empty string', write: (writer) => writer.string(''), hex: '00000000' },
    {
      title: 'opaque',
      write: (writer) => writer.opaque(Uint8Array.of(1, 2, 3, 4, 5)),
      hex: '000000050102030405000000',
    },
    { title: 'fixed opaque', write: (writer) => writer.fixedOpaque(Uint8Array.of(1, 2), 2), hex: '01020000' },
    { title: 'an array length', write: (writer) => writer.arrayLength(3, 3), hex: '00000003' },
  ])('writes $title', ({ write, hex }) => {
    const writer = new XdrWriter();

    write(writer);

    expect(writer.take().toString('hex')).toBe(hex);
  });

  it('writes the example of RFC 4506, section 7', () => {
    const writer = new XdrWriter();

    writer.string('sillyprog', 255);
    writer.int32(2);
    writer.string('lisp', 255);
    writer.string('john', 32);
    writer.opaque(Buffer.from('(quit)'), 65_535);

    expect(writer.take().toString('hex')).toBe(
      '0000000973696c6c7970726f6700000000000002000000046c697370000000046a6f686e000000062871756974290000',
    );
  });

  it.each<{ title: string; write: (writer: XdrWriter) => void; code: string; message: string }>([
    { title: 'a negative uint32', write: (writer) => writer.uint32(-1), code: 'out-of-range', message: '-1 is not an' },
    { title: 'a large uint32', write: (writer) => writer.uint32(2 ** 32), code: 'out-of-range', message: '4294967296' },
    { title: 'a fraction', write: (writer) => writer.uint32(1.5), code: 'out-of-range', message: '1.5' },
    { title: 'NaN', write: (writer) => writer.int32(Number.NaN), code: 'out-of-range', message: 'NaN' },
    { title: 'a large int32', write: (writer) => writer.int32(2 ** 31), code: 'out-of-range', message: '2147483648' },
    {
      title: 'a small int32',
      write: (writer) => writer.int32(-(2 ** 31) - 1),
      code: 'out-of-range',
      message: '-2147483649',
    },
    { title: 'a negative uint64', write: (writer) => writer.uint64(-1n), code: 'out-of-range', message: '-1' },
    {
      title: 'a large uint64',
      write: (writer) => writer.uint64(2n ** 64n),
      code: 'out-of-range',
      message: '18446744073709551616',
    },
    {
      title: 'a large int64',
      write: (writer) => writer.int64(2n ** 63n),
      code: 'out-of-range',
      message: '9223372036854775808',
    },
    {
      title: 'a long string',
      write: (writer) => writer.string('äb', 2),
      code: 'too-long',
      message: 'string of 3 is over the limit of 2',
    },
    {
      title: 'half a surrogate pair',
      write: (writer) => writer.string('a\uD800'),
      code: 'invalid',
      message: 'surrogate',
    },
    {
      title: 'long opaque',
      write: (writer) => writer.opaque(Buffer.alloc(3), 2),
      code: 'too-long',
      message: 'opaque of 3',
    },
    {
      title: 'fixed opaque of another size',
      write: (writer) => writer.fixedOpaque(Buffer.alloc(3), 4),
      code: 'invalid',
      message: 'expected 4 bytes, got 3',
    },
    {
      title: 'a long array',
      write: (writer) => writer.arrayLength(3, 2),
      code: 'too-long',
      message: 'array of 3 is over the limit of 2',
    },
    {
      title: 'a negative array length',
      write: (writer) => writer.arrayLength(-1),
      code: 'out-of-range',
      message: '-1',
    },
    {
      title: 'a patch before the start',
      write: (writer) => writer.patchUint32(-4, 1),
      code: 'out-of-range',
      message: 'no word at byte -4',
    },
    {
      title: 'a patch after the end',
      write: (writer) => writer.patchUint32(8, 1),
      code: 'out-of-range',
      message: 'no word at byte 8',
    },
    {
      title: 'a patch across words',
      write: (writer) => writer.patchUint32(2, 1),
      code: 'out-of-range',
      message: 'no word at byte 2',
    },
    {
      title: 'a patch nowhere',
      write: (writer) => writer.patchUint32(Number.NaN, 1),
      code: 'out-of-range',
      message: 'NaN',
    },
    {
      title: 'a patch with a large value',
      write: (writer) => writer.patchUint32(0, 2 ** 32),
      code: 'out-of-range',
      message: '4294967296',
    },
    {
      title: 'a patch with a negative value',
      write: (writer) => writer.patchUint32(0, -1),
      code: 'out-of-range',
      message: '-1',
    },
    {
      title: 'a cut after the end',
      write: (writer) => writer.truncate(12),
      code: 'out-of-range',
      message: 'no word of the 8 bytes written ends at byte 12',
    },
    { title: 'a cut before the start', write: (writer) => writer.truncate(-4), code: 'out-of-range', message: '-4' },
    { title: 'a cut through a word', write: (writer) => writer.truncate(6), code: 'out-of-range', message: '6' },
  ])('refuses $title and stays as it was', ({ write, code, message }) => {
    const writer = new XdrWriter();
    writer.uint64(0x0102_0304_0506_0708n);

    const refusal = caught(() => write(writer));

    expect(refusal).toMatchObject({ code, message: expect.stringContaining(message) });
    writer.uint32(9);
    expect(writer.take().toString('hex')).toBe('010203040506070800000009');
  });

  it('refuses a value after the buffer grew, and stays as it was', () => {
    const writer = new XdrWriter(4);
    writer.fixedOpaque(Buffer.alloc(1000, 7), 1000);

    expect(() => writer.string('x'.repeat(2000), 1999)).toThrow(XdrError);

    expect(writer.take()).toEqual(Buffer.alloc(1000, 7));
  });

  it('patches a word written before and nothing around it', () => {
    const writer = new XdrWriter();
    for (const word of [1, 2, 3]) writer.uint32(word);

    writer.patchUint32(4, 0xffff_fffe);
    writer.patchUint32(8, 4);

    expect(writer.take().toString('hex')).toBe('00000001fffffffe00000004');
  });

  it('forgets from a byte on, and writes on from there', () => {
    const writer = new XdrWriter();
    writer.uint32(1);
    const { length } = writer;
    writer.string('\xFF\xFF\xFF\xFF\xFF');

    writer.truncate(length);
    writer.string('a');

    expect(writer.take().toString('hex')).toBe('000000010000000161000000');
  });

  it('may forget nothing or all', () => {
    const writer = new XdrWriter();
    writer.uint32(1);

    writer.truncate(4);
    expect(writer.length).toBe(4);
    writer.truncate(0);

    expect(writer.take()).toHaveLength(0);
  });

  it('hands out bytes that later writes do not touch', () => {
    const writer = new XdrWriter();
    writer.uint32(1);

    const first = writer.take();
    writer.uint32(2);
    const second = writer.take();

    expect([first.toString('hex'), second.toString('hex'), writer.length]).toEqual(['00000001', '00000002', 0]);
  });

  it('leaves no byte of old memory in what it hands out', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 30 }), fc.nat({ max: 64 }), (sizes, initialBytes) => {
        const writer = new XdrWriter(initialBytes);
        for (const size of sizes) writer.string('z'.repeat(size));
        writer.truncate(0);

        for (const size of sizes) writer.fixedOpaque(Buffer.alloc(size, 1), size);

        const expected = sizes.map((size) =>
          Buffer.concat([Buffer.alloc(size, 1), Buffer.alloc((4 - (size % 4)) % 4)]),
        );
        expect(writer.take()).toEqual(Buffer.concat(expected));
      }),
    );
  });
});

function caught(action: () => void): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}
