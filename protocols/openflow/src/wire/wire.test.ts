import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { encodeEchoReply } from './echo.ts';
import { readErrorMessage } from './error-message.ts';
import { encodeHello, readHello } from './hello.ts';
import { encodeMessage, type Message } from './message.ts';
import { MessageSplitter } from './message-splitter.ts';
import { encodeMultipartRequest, readMultipartReply } from './multipart.ts';
import { chooseVersion, versionName } from './version.ts';

describe('a stream of messages', () => {
  it('gives the same messages however it is cut', () => {
    const messages = fc.array(
      fc.record({ type: fc.nat(255), transaction: fc.nat(0xffff_ffff), body: fc.uint8Array({ maxLength: 300 }) }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(messages, fc.array(fc.integer({ min: 1, max: 90 })), (sent, sizes) => {
        const stream = Buffer.concat(sent.map(({ body, ...head }) => encodeMessage({ version: 4, ...head }, body)));

        const received = cut(stream, sizes).flatMap(collect(new MessageSplitter()));

        expect(received).toEqual(sent.map((one) => ({ version: 4, ...one, body: Buffer.from(one.body) })));
      }),
    );
  });

  it('is refused if a message says that it is shorter than its header', () => {
    const bytes = Buffer.from('0412000700000001', 'hex');

    expect(() => [...new MessageSplitter().push(bytes)]).toThrow('7 bytes, fewer than its header');
  });
});

it.each(['HTTP/1.1 400', '{"method":"echo"}', '\0\0\0\0\0\0\0\0'])('refuses %j as soon as it comes', (text) => {
  const push = () => [...new MessageSplitter().push(Buffer.from(text))];

  expect(push).toThrow('this is no OpenFlow');
});

describe('a greeting', () => {
  it('is sent as the bytes that Open vSwitch understands', () => {
    expect(encodeHello([4]).toString('hex')).toBe('04000010000000000001000800000010');
  });

  it('offers what its bitmap says', () => {
    // Recorded from a bridge with protocols=OpenFlow10,OpenFlow13,OpenFlow15.
    const greeting = messageOf('06000010000000010001000800000052');

    expect(readHello(greeting)).toEqual([1, 4, 6]);
  });

  it('offers every version up to its own if it has no bitmap', () => {
    expect(readHello(messageOf('0300000800000001'))).toEqual([1, 2, 3]);
  });

  it('passes over elements that it does not know', () => {
    const greeting = messageOf('040000000000000100070005000000000001000800000010');

    expect(readHello(greeting)).toEqual([4]);
  });

  it('is refused if an element says that it has no length', () => {
    expect(() => readHello(messageOf('0400000c0000000100010000'))).toThrow('0 bytes');
  });
});

describe('chooseVersion', () => {
  it.each([
    { offered: [1, 4, 6], chosen: 4 },
    { offered: [1, 2, 3, 4, 5, 6], chosen: 4 },
    { offered: [1, 5, 6], chosen: 5 },
    { offered: [6], chosen: 6 },
    { offered: [1, 2, 3], chosen: undefined },
    { offered: [], chosen: undefined },
  ])('takes $chosen of $offered', ({ offered, chosen }) => {
    expect(chooseVersion(offered)).toBe(chosen);
  });

  it('names versions as people do', () => {
    expect([1, 4, 6, 9].map(versionName)).toEqual(['1.0', '1.3', '1.5', 'wire version 9']);
  });
});

describe('an error', () => {
  it.each([
    { body: '00010001', name: 'OFPBRC_BAD_TYPE' },
    { body: '00010009', name: 'OFPBRC_BAD_TABLE_ID' },
    { body: '00040009', name: 'OFPBMC_BAD_PREREQ' },
    { body: '00630001', name: 'error 99, 1' },
    { body: 'ffff000200002320', name: 'experimenter error 2' },
  ])('is called $name', ({ body, name }) => {
    expect(readErrorMessage(message(1, body)).name).toBe(name);
  });

  it('carries the words of a switch that refuses the greeting', () => {
    const words = Buffer.from('we support version 0x01\0').toString('hex');

    expect(readErrorMessage(message(1, `00000000${words}`))).toMatchObject({
      name: 'OFPHFC_INCOMPATIBLE',
      text: 'we support version 0x01',
    });
  });
});

it('answers an echo with what it carried', () => {
  expect(encodeEchoReply(message(2, 'cafe')).toString('hex')).toBe('0403000a00000007cafe');
});

it('asks for tables with the bytes that Open vSwitch understands', () => {
  const request = encodeMultipartRequest({ version: 4, transaction: 5, type: 3 });

  expect(request.toString('hex')).toBe('04120010000000050003000000000000');
});

it('tells whether more parts of an answer follow', () => {
  expect(readMultipartReply(message(19, '0003000100000000ab'))).toMatchObject({ type: 3, hasMore: true });
  expect(readMultipartReply(message(19, '0003000000000000ab'))).toMatchObject({ hasMore: false });
  expect(() => readMultipartReply(message(19, '0003'))).toThrow(expect.objectContaining({ code: 'truncated' }));
});

it('refuses to send a message that is longer than a message can be', () => {
  expect(() => encodeMessage({ version: 4, type: 2, transaction: 1 }, Buffer.alloc(65_535))).toThrow('cannot be sent');
});

function message(type: number, body: string): Message {
  return { version: 4, type, transaction: 7, body: Buffer.from(body, 'hex') };
}

function messageOf(hex: string): Message {
  const [only] = new MessageSplitter().push(padded(hex));
  if (only === undefined) throw new Error('no whole message');
  return only;
}

function padded(hex: string): Buffer {
  const bytes = Buffer.from(hex, 'hex');
  bytes.writeUInt16BE(bytes.length, 2);
  return bytes;
}

function collect(splitter: MessageSplitter): (chunk: Buffer) => Message[] {
  return (chunk) => [...splitter.push(chunk)];
}

function cut(stream: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    if (at >= stream.length) break;
    chunks.push(stream.subarray(at, at + size));
    at += size;
  }
  return [...chunks, stream.subarray(at)];
}
