import { array, assert, boolean, integer, property, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { encodeFrame, Opcode } from './encode-frame.ts';
import { FrameReader, type FramePart } from './frame-reader.ts';
import { isWebSocketError } from './web-socket-error.ts';

const MASK = Uint8Array.of(1, 2, 3, 4);

describe('a reader of frames', () => {
  it('gets back what was written, however it is cut', () => {
    const payloads = array(uint8Array({ maxLength: 70_000, size: 'max' }), { minLength: 1, maxLength: 4 });
    assert(
      property(payloads, boolean(), integer({ min: 1, max: 4_096 }), (all, isMasked, cut) => {
        const bytes = Buffer.concat(all.map((each) => encodeFrame(Opcode.binary, each, isMasked ? MASK : undefined)));

        const parts = read(bytes, isMasked, cut);

        expect(dataOf(parts).equals(Buffer.concat(all))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('reads control frames between the parts of a message', () => {
    const first = encodeFrame(Opcode.text, Buffer.from('ab'));
    first[0] = Opcode.text;
    const last = encodeFrame(Opcode.continuation, Buffer.from('c'));
    const ping = encodeFrame(Opcode.ping, Buffer.from('p'));
    const close = encodeFrame(Opcode.close, Buffer.from([0x03, 0xe8, 0x6f, 0x6b]));

    const parts = read(Buffer.concat([first, ping, last, close]), false, 1);

    expect(parts).toEqual([
      { kind: 'data', bytes: Buffer.from('a') },
      { kind: 'data', bytes: Buffer.from('b') },
      { kind: 'ping', payload: Buffer.from('p') },
      { kind: 'data', bytes: Buffer.from('c') },
      { kind: 'end' },
      { kind: 'close', closeCode: 1000, reason: 'ok' },
    ]);
  });

  it.each([
    ['a frame without a mask from a client', true, [0x82, 0x00], 'a client has to mask'],
    ['a masked frame from a server', false, [0x82, 0x80, 0, 0, 0, 0], 'a server must not mask'],
    ['reserved bits', false, [0xc2, 0x00], 'extensions'],
    ['an unknown kind of data', false, [0x83, 0x00], 'no opcode 3'],
    ['an unknown kind of control', false, [0x8b, 0x00], 'no opcode 11'],
    ['a ping in parts', false, [0x09, 0x00], 'control frame in parts'],
    ['a long ping', false, [0x89, 126, 0, 126], 'too long'],
    ['a part of no message', false, [0x80, 0x00], 'out of order'],
    ['a message within another', false, [0x02, 0x00, 0x82, 0x00], 'out of order'],
    ['a length of 2^63', false, [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], 'longer than anything'],
    ['half a code', false, [0x88, 0x01, 0x03], 'half a code'],
  ])('refuses %s', (_, isMasked, bytes, why) => {
    expect(() => read(Buffer.from(bytes), isMasked, 1)).toThrow(why);
  });

  it('ends in order or with `protocol` for whatever comes', () => {
    assert(
      property(uint8Array({ maxLength: 300 }), boolean(), (bytes, isMasked) => {
        expect(['read', 'protocol']).toContain(outcome(bytes, isMasked));
      }),
    );
  });

  it('does not change the bytes it was given', () => {
    const frame = encodeFrame(Opcode.binary, Buffer.from('abc'), MASK);
    const before = Buffer.from(frame);

    read(frame, true, 100);

    expect(frame.equals(before)).toBe(true);
  });
});

function read(bytes: Uint8Array, isMasked: boolean, cut: number): readonly FramePart[] {
  const reader = new FrameReader(isMasked);
  const parts: FramePart[] = [];
  for (let start = 0; start < bytes.length; start += cut)
    parts.push(...reader.push(bytes.subarray(start, start + cut)));
  return parts;
}

function outcome(bytes: Uint8Array, isMasked: boolean): string {
  try {
    read(bytes, isMasked, 7);
    return 'read';
  } catch (error) {
    return isWebSocketError(error) ? error.code : String(error);
  }
}

function dataOf(parts: readonly FramePart[]): Buffer {
  return Buffer.concat(parts.flatMap((part) => (part.kind === 'data' ? [part.bytes] : [])));
}
