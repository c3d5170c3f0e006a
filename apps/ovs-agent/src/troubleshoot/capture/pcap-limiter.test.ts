import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { PcapLimiter } from './pcap-limiter.ts';

const LIMITS = { packets: 1_000, bytes: 1_000_000, snapLength: 1_000 };

describe('PcapLimiter', () => {
  it.each([
    { what: 'everything within the limits', limits: {}, packets: 3, fullBy: undefined },
    { what: 'as many packets as are asked for', limits: { packets: 2 }, packets: 2, fullBy: 'packets' },
    { what: 'as many whole packets as have room', limits: { bytes: 24 + 26 * 2 + 25 }, packets: 2, fullBy: 'bytes' },
    { what: 'a packet that fits to the byte', limits: { bytes: 24 + 26 * 3 }, packets: 3, fullBy: undefined },
    { what: 'nothing but the head where no packet has room', limits: { bytes: 30 }, packets: 0, fullBy: 'bytes' },
  ])('lets through $what, however the bytes come', ({ limits, packets, fullBy }) => {
    const whole = capture([10, 10, 10]);
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 8 }), (cuts) => {
        const limiter = new PcapLimiter({ ...LIMITS, ...limits });

        const out = Buffer.concat(cut(whole, cuts).map((chunk) => limiter.push(chunk)));

        expect(out).toEqual(whole.subarray(0, 24 + packets * 26));
        expect([limiter.packets, limiter.bytes, limiter.fullBy]).toEqual([packets, out.length, fullBy]);
      }),
    );
  });

  it('keeps back the last packet while a part of it is missing', () => {
    const limiter = new PcapLimiter(LIMITS);

    expect(limiter.push(capture([10]).subarray(0, -1)).length).toBe(24);
  });

  it.each([
    ['a file that is no capture', Buffer.alloc(24)],
    ['a packet that is longer than the snap length', capture([1_001])],
  ])('refuses %s', (_, bytes) => {
    expect(() => new PcapLimiter(LIMITS).push(bytes)).toThrow('no capture');
  });
});

function capture(lengths: readonly number[]): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4);
  return Buffer.concat([
    head,
    ...lengths.flatMap((length) => {
      const record = Buffer.alloc(16);
      record.writeUInt32LE(length, 8);
      return [record, Buffer.alloc(length, 7)];
    }),
  ]);
}

function cut(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const edges = [0, ...cuts.toSorted((left, right) => left - right), bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}
