import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { CallCounter } from './call-counter.ts';

const REMOTE = 0x2000_8086;

it('counts calls by procedure, however the bytes are cut, and nothing else', () => {
  const bytes = Buffer.concat([
    frame({ procedure: 1, body: 100 }),
    frame({ procedure: 273, body: 12 }),
    frame({ procedure: 1, type: 3, body: 4_000 }),
    frame({ program: 0x6b65_6570, procedure: 1, type: 2 }),
    frame({ procedure: 273 }),
  ]);

  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (sizes) => {
      const counter = new CallCounter();
      for (const chunk of cut(bytes, sizes)) counter.read(chunk);

      expect([...counter.byProcedure]).toEqual([
        [`${REMOTE}/1`, 1],
        [`${REMOTE}/273`, 2],
      ]);
    }),
  );
});

it('refuses what is not the protocol of libvirt', () => {
  const counter = new CallCounter();

  expect(() => counter.read(Buffer.from('GET / HTTP/1.1\r\nHost: example.org\r\n'))).toThrow('a frame of');
});

interface Frame {
  readonly program?: number;
  readonly procedure: number;
  readonly type?: number;
  readonly body?: number;
}

function frame({ program = REMOTE, procedure, type = 0, body = 0 }: Frame): Buffer {
  const header = Buffer.alloc(28);
  for (const [index, word] of [28 + body, program, 1, procedure, type, 7, 0].entries()) {
    header.writeUInt32BE(word, index * 4);
  }
  return Buffer.concat([header, Buffer.alloc(body, 0xff)]);
}

function* cut(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
