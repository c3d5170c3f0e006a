import { XdrReader, XdrWriter } from '@smalt/xdr';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readFixedText, readText, readWordBytes, writeWordBytes } from './word-bytes.ts';

describe('readWordBytes', () => {
  it('gives what writeWordBytes wrote, four bytes on the wire for each', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        const writer = new XdrWriter();

        writeWordBytes(writer, bytes, 50);
        const written = writer.take();

        expect(written).toHaveLength(4 + 4 * bytes.length);
        expect(Uint8Array.from(readWordBytes(new XdrReader(written), 50))).toEqual(bytes);
      }),
    );
  });

  it('takes bytes from daemons that sign-extend them', () => {
    expect([...readWordBytes(words(2, -1, -128), 2)]).toEqual([255, 128]);
  });

  it.each([256, -129])('refuses %d, which is no byte', (word) => {
    expect(() => readWordBytes(words(1, word), 1)).toThrow(`${word} is not a byte`);
  });

  it('refuses more than the limit before it makes room', () => {
    expect(() => readWordBytes(words(3, 1, 2, 3), 2)).toThrow('array of 3 is over the limit of 2');
  });
});

it('writeWordBytes refuses more than the limit', () => {
  expect(() => writeWordBytes(new XdrWriter(), new Uint8Array(3), 2)).toThrow('array of 3 is over the limit of 2');
});

describe('text of one word per byte', () => {
  it('ends at its first NUL', () => {
    expect(readFixedText(words(0x78, 0x38, 0x36, 0, 0x7a), 5)).toBe('x86');
    expect(readText(words(3, 0x78, 0, 0x7a), 3)).toBe('x');
  });

  it('may fill all of its words', () => {
    expect(readFixedText(words(0x61, 0x62), 2)).toBe('ab');
  });

  it('is UTF-8', () => {
    expect(readText(words(2, 0xc3, 0xa4), 2)).toBe('ä');
  });
});

function words(...values: number[]): XdrReader {
  const writer = new XdrWriter();
  for (const value of values) writer.int32(value);
  return new XdrReader(writer.take());
}
