import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildMessage } from '../fake-daemon/build-message.ts';
import { FrameSplitter } from './frame-splitter.ts';
import { HEADER_BYTES, MAX_MESSAGE_BYTES } from './message.ts';

describe('FrameSplitter', () => {
  it('hands on every message whole, however the bytes are cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 6000 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 40 }),
        (payloads, cuts) => {
          const messages = payloads.map((payload) => buildMessage({ payload }));
          const { splitter, received } = collector();

          for (const chunk of cut(Buffer.concat(messages), cuts)) splitter.push(chunk);

          expect(received).toEqual(messages);
          expect(splitter.kept).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('hands on messages that arrive byte by byte', () => {
    const messages = [buildMessage({ serial: 1 }), buildMessage({ serial: 2, payload: Buffer.from('payload') })];
    const { splitter, received } = collector();

    for (const byte of Buffer.concat(messages)) splitter.push(Buffer.of(byte));

    expect(received).toEqual(messages);
  });

  it('gives a message that lies whole in a chunk as a view of the chunk', () => {
    const chunk = Buffer.concat([buildMessage({ serial: 1 }), buildMessage({ serial: 2 })]);
    const frames: [Buffer, number, number][] = [];
    const splitter = new FrameSplitter((...frame) => frames.push(frame));

    splitter.push(chunk);

    expect(frames).toEqual([
      [chunk, 0, HEADER_BYTES],
      [chunk, HEADER_BYTES, 2 * HEADER_BYTES],
    ]);
    expect(frames[0]?.[0]).toBe(chunk);
  });

  it('does not let the next message overwrite one that was gathered', () => {
    const first = buildMessage({ payload: Buffer.alloc(100, 1) });
    const second = buildMessage({ payload: Buffer.alloc(100, 2) });
    const frames: Buffer[] = [];
    const splitter = new FrameSplitter((bytes, start, end) => frames.push(bytes.subarray(start, end)));

    for (const message of [first, second]) {
      splitter.push(message.subarray(0, 50));
      splitter.push(message.subarray(50));
    }

    expect(frames).toEqual([first, second]);
  });

  it.each([0, 4, HEADER_BYTES - 1, MAX_MESSAGE_BYTES + 1, 0x7fff_ffff, 0xffff_ffff])(
    'refuses a length of %d before making room for it',
    (length) => {
      for (const size of [4, 2]) {
        const { splitter } = collector();
        const bytes = buildMessage({ length });

        expect(() => {
          splitter.push(bytes.subarray(0, size));
          splitter.push(bytes.subarray(size));
        }).toThrow(expect.objectContaining({ code: 'protocol', message: expect.stringContaining(String(length)) }));
      }
    },
  );

  it('takes the longest message that libvirt can send', () => {
    const message = buildMessage({ payload: Buffer.alloc(MAX_MESSAGE_BYTES - HEADER_BYTES) });
    let size = 0;
    const splitter = new FrameSplitter((_, start, end) => (size = end - start));

    for (let at = 0; at < message.length; at += 65_536) splitter.push(message.subarray(at, at + 65_536));

    expect(size).toBe(MAX_MESSAGE_BYTES);
  });

  it('takes no more room than what has arrived asks for', () => {
    const claimed = buildMessage({ length: MAX_MESSAGE_BYTES, payload: Buffer.alloc(1000) });
    const before = process.memoryUsage().arrayBuffers;
    const splitters = Array.from({ length: 100 }, () => new FrameSplitter(() => undefined));

    for (const splitter of splitters) splitter.push(claimed);

    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * MAX_MESSAGE_BYTES);
  });
});

function collector(): { splitter: FrameSplitter; received: Buffer[] } {
  const received: Buffer[] = [];
  const splitter = new FrameSplitter((bytes, start, end) => received.push(Buffer.from(bytes.subarray(start, end))));
  return { splitter, received };
}

function* cut(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
