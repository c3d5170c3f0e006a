import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type FramerLimits, JsonFramer } from './json-framer.ts';

describe('JsonFramer', () => {
  it('cuts any stream of objects and lists where they end, however it is cut into chunks', () => {
    const value = fc.oneof(fc.object({ maxDepth: 3 }), fc.array(fc.anything({ maxDepth: 2 })));
    const text = value.map((item) => JSON.stringify(item) ?? '{}');
    const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(text, space)), fc.array(fc.nat({ max: 40 })), (items, cuts) => {
        const stream = Buffer.from(items.map((item) => item.join('')).join(''));

        const texts = frames(chunksOf(stream, cuts));

        expect(texts).toEqual(items.map(([whole]) => whole));
      }),
    );
  });

  it.each([
    { what: 'braces and brackets inside strings', text: '{"a":"}]{["}' },
    { what: 'escaped quotes', text: String.raw`{"a\"}":"\\"}` },
    { what: 'a backslash at the end of a string', text: String.raw`["\\","\\\""]` },
    { what: 'characters of several bytes', text: '{"ä€😀":"😀"}' },
  ])('is not misled by $what, byte by byte', ({ text }) => {
    const bytes = Buffer.from(text + text);

    const texts = frames([...bytes].map((byte) => Buffer.of(byte)));

    expect(texts).toEqual([text, text]);
  });

  it.each([
    { what: 'garbage', bytes: Buffer.from('HTTP/1.1 200'), code: 'malformed' },
    { what: 'a bare number', bytes: Buffer.from('12'), code: 'malformed' },
    { what: 'an end without a beginning', bytes: Buffer.from('}'), code: 'malformed' },
    { what: 'bytes that are no UTF-8', bytes: Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), code: 'malformed' },
    { what: 'a message that is too deep', bytes: Buffer.from('['.repeat(9)), code: 'too-deep' },
    { what: 'a message that is too long', bytes: Buffer.from(`["${'a'.repeat(100)}"]`), code: 'too-large' },
    { what: 'one that is too long before it ends', bytes: Buffer.from(`["${'a'.repeat(100)}`), code: 'too-large' },
  ])('delivers what came before $what, then fails for good', ({ bytes, code }) => {
    const framer = new JsonFramer(small);
    const texts: string[] = [];
    const push = (chunk: Buffer): void => framer.push(chunk, (text) => texts.push(text));

    expect(() => push(Buffer.concat([Buffer.from('{"a":1}'), bytes]))).toThrow(expect.objectContaining({ code }));
    expect(() => push(Buffer.from('{"b":2}'))).toThrow(expect.objectContaining({ code }));

    expect(texts).toEqual(['{"a":1}']);
  });

  it('holds nothing of a message that was too long, nor of one that is complete', () => {
    const framer = new JsonFramer(small);
    const push = (text: string): void => framer.push(Buffer.from(text), () => undefined);

    push('{"a":');
    const midway = framer.heldBytes;
    push('1}');
    const after = framer.heldBytes;
    push('{"a":"');
    expect(() => push('x'.repeat(100))).toThrow('longer than 64 bytes');

    expect([midway, after, framer.heldBytes]).toEqual([5, 0, 0]);
  });

  it('takes a message that is exactly as long and as deep as allowed', () => {
    const text = `[[[[[[[["${'a'.repeat(46)}"]]]]]]]]`;

    expect(text).toHaveLength(small.maxBytes);
    expect(frames([Buffer.from(text.slice(0, 20)), Buffer.from(text.slice(20))], small)).toEqual([text]);
  });
});

const small: FramerLimits = { maxBytes: 64, maxDepth: 8 };

const large: FramerLimits = { maxBytes: 1 << 20, maxDepth: 100 };

function frames(chunks: readonly Buffer[], limits: FramerLimits = large): readonly string[] {
  const framer = new JsonFramer(limits);
  const texts: string[] = [];
  for (const chunk of chunks) framer.push(chunk, (text) => texts.push(text));
  return texts;
}

function chunksOf(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let rest = bytes;
  for (const cut of cuts) {
    chunks.push(rest.subarray(0, cut));
    rest = rest.subarray(cut);
  }
  return [...chunks, rest];
}
