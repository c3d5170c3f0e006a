import { describe, expect, it } from 'vitest';

import type { DBusValue } from './dbus-value.ts';
import { decodeMessage } from './decode-message.ts';
import { encodeMessage } from './encode-message.ts';
import { MessageSplitter } from './message-splitter.ts';
import type { DBusMessage } from './message.ts';

describe('decodeMessage', () => {
  it.each([
    { title: 'another byte order mark', at: 0, byte: 0x78, code: 'invalid' },
    { title: 'the kind 0', at: 1, byte: 0, code: 'invalid' },
    { title: 'another version', at: 3, byte: 2, code: 'invalid' },
    { title: 'the serial 0', at: 8, byte: 0, code: 'out-of-range' },
    { title: 'header fields of another length', at: 12, byte: 0xff, code: 'truncated' },
    { title: 'a path of another type', at: 18, byte: 's'.codePointAt(0) ?? 0, code: 'invalid' },
    { title: 'a path that is none', at: 24, byte: 'x'.codePointAt(0) ?? 0, code: 'invalid' },
    { title: 'padding that is not zero', at: 27, byte: 1, code: 'invalid' },
  ])('refuses $title', ({ at, byte, code }) => {
    const bytes = encodeMessage({ ...CALL, signature: 's', body: ['x'] });

    bytes[at] = byte;

    expect(() => decodeMessage(bytes)).toThrow(expect.objectContaining({ code }));
  });

  it('refuses a text that is not UTF-8, and takes the replacement character itself', () => {
    const bytes = encodeMessage({ ...CALL, signature: 's', body: ['abc'] });
    bytes[bytes.length - 2] = 0xff;

    const kept = decodeMessage(encodeMessage({ ...CALL, signature: 's', body: ['a\uFFFDc'] }));

    expect(() => decodeMessage(bytes)).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(kept?.body).toEqual(['a\uFFFDc']);
  });

  it('refuses a text without a zero at its end, and one with a zero inside', () => {
    const open = encodeMessage({ ...CALL, signature: 's', body: ['abc'] });
    open[open.length - 1] = 1;
    const cut = encodeMessage({ ...CALL, signature: 's', body: ['abc'] });
    cut[cut.length - 3] = 0;

    expect(() => decodeMessage(open)).toThrow(/without a zero/);
    expect(() => decodeMessage(cut)).toThrow(/with a zero inside/);
  });

  it('refuses bytes after the last value', () => {
    const bytes = Buffer.concat([encodeMessage(CALL), Buffer.alloc(1)]);

    expect(() => decodeMessage(bytes)).toThrow(expect.objectContaining({ code: 'trailing' }));
  });

  it('refuses variants that nest without end, before the stack is used up', () => {
    const deep = nest(64);

    expect(decodeMessage(encodeMessage({ ...CALL, signature: 'v', body: [deep] }))?.body).toEqual([deep]);
    expect(() => encodeMessage({ ...CALL, signature: 'v', body: [nest(65)] })).toThrow(/more than 64 levels/);
    expect(() => decodeMessage(nestedBytes(2000))).toThrow(expect.objectContaining({ code: 'too-deep' }));
  });

  it('ignores header fields and kinds that are newer than the specification we know', () => {
    const bytes = encodeMessage(CALL);
    bytes[1] = 9;

    expect(decodeMessage(bytes)).toBeUndefined();
  });

  it('knows which calls want no answer and start no service', () => {
    const read = decodeMessage(encodeMessage({ ...CALL, noReply: true, noAutoStart: true }));

    expect(read).toMatchObject({ noReply: true, noAutoStart: true });
  });
});

describe('encodeMessage', () => {
  it.each<{ title: string; change: Partial<DBusMessage>; message: RegExp }>([
    { title: 'a call without a path', change: { path: undefined }, message: /a call without path/ },
    { title: 'a path that is none', change: { path: 'a' }, message: /not a value of the type o/ },
    { title: 'a member that is none', change: { member: 'a.b' }, message: /^member: "a\.b"/ },
    { title: 'a destination that is none', change: { destination: 'x' }, message: /^destination: "x"/ },
    { title: 'the serial 0', change: { serial: 0 }, message: /^serial: 0/ },
    { title: 'more values than types', change: { body: [1] }, message: /wants 0 values, not 1/ },
    { title: 'a number for a text', change: { signature: 's', body: [1] }, message: /number 1 is not/ },
    { title: 'a byte of 256', change: { signature: 'y', body: [256] }, message: /type y/ },
    { title: 'half an integer', change: { signature: 'i', body: [0.5] }, message: /type i/ },
    { title: 'a number for 64 bits', change: { signature: 't', body: [1] }, message: /type t/ },
    { title: '65 bits', change: { signature: 't', body: [2n ** 64n] }, message: /type t/ },
    { title: 'a text with a zero', change: { signature: 's', body: ['a\0b'] }, message: /type s/ },
    { title: 'half a surrogate pair', change: { signature: 's', body: ['\uD800'] }, message: /type s/ },
    { title: 'a struct with a field too few', change: { signature: '(ii)', body: [[1]] }, message: /struct of 2/ },
    { title: 'an array for a dictionary', change: { signature: 'a{ss}', body: [[]] }, message: /a dictionary/ },
    { title: 'a plain value for a variant', change: { signature: 'v', body: ['x'] }, message: /type v/ },
  ])('refuses $title', ({ change, message }) => {
    expect(() => encodeMessage({ ...CALL, ...change })).toThrow(message);
  });
});

describe('MessageSplitter', () => {
  it('refuses a message over its limit as soon as its length is known', () => {
    const splitter = new MessageSplitter(1000);
    const prefix = encodeMessage({ ...CALL, signature: 's', body: ['x'.repeat(2000)] }).subarray(0, 16);

    expect(() => [...splitter.push(prefix)]).toThrow(expect.objectContaining({ code: 'too-long' }));
  });

  it('refuses what does not begin like a message', () => {
    expect(() => [...new MessageSplitter().push(Buffer.from('HTTP/1.1 400 Bad'))]).toThrow(/cannot begin/);
  });
});

const CALL: DBusMessage = { kind: 'call', serial: 1, path: '/ab', member: 'Do' };

function nest(depth: number): DBusValue {
  let value: DBusValue = { signature: 'i', value: 1 };
  for (let index = 1; index < depth; index += 1) value = { signature: 'v', value };
  return value;
}

/** Variants in variants, deeper than a writer would write them. */
function nestedBytes(depth: number): Buffer {
  const body = Buffer.concat([
    ...Array.from({ length: depth }, () => Buffer.from([1, 0x76, 0])),
    Buffer.from([1, 0x79, 0, 7]),
  ]);
  const bytes = encodeMessage({ ...CALL, signature: 'v', body: [{ signature: 'y', value: 7 }] });
  const whole = Buffer.concat([bytes.subarray(0, bytes.length - 4), body]);
  whole.writeUInt32LE(body.length, 4);
  return whole;
}
