import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { DBusError } from './dbus-error.ts';
import { isVariant, type DBusValue } from './dbus-value.ts';
import { decodeMessage } from './decode-message.ts';
import { encodeMessage } from './encode-message.ts';
import { MessageSplitter } from './message-splitter.ts';

describe('messages that a dbus-daemon has sent', () => {
  it.each(recorded().filter(({ data }) => data !== undefined))('says of $title what busctl says', ({ hex, data }) => {
    const message = decodeMessage(Buffer.from(hex, 'hex'));

    expect(message?.signature).toBe(data?.type);
    expect((message?.body ?? []).map(asBusctl)).toEqual(data?.data);
  });

  it.each(recorded())('is the same after $title was written and read again', ({ hex }) => {
    const message = decodeMessage(Buffer.from(hex, 'hex'));

    const little = decodeMessage(encodeMessage(message ?? missing(), 'little'));
    const big = decodeMessage(encodeMessage(message ?? missing(), 'big'));

    expect([little, big]).toEqual([message, message]);
  });

  it('reads every type from a signal in big endian', () => {
    const message = decodeMessage(bytesOf('a signal in big endian'));

    expect(message).toMatchObject({ kind: 'signal', path: '/a', interface: 'org.example.Big', member: 'Numbers' });
    expect(message?.body).toEqual([
      255,
      -2,
      65_535,
      -3,
      4_294_967_295,
      -4n,
      18_446_744_073_709_551_615n,
      0.5,
      true,
      'ß',
      '/b',
      'as',
      Uint8Array.of(1, 2),
      new Map([['k', { signature: 'u', value: 7 }]]),
      [1, { signature: 'as', value: ['x'] }],
    ]);
  });

  it('reads an error with its name and the call it answers', () => {
    const message = decodeMessage(bytesOf('an error'));

    expect(message).toMatchObject({
      kind: 'error',
      errorName: 'org.freedesktop.systemd1.NoSuchUnit',
      replySerial: 3,
      body: ['Unit nope.service not loaded.'],
    });
  });

  it('refuses each of them at whatever byte it is cut off', () => {
    const bytes = bytesOf('the states of two units');

    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => decodeMessage(bytes.subarray(0, length)), `cut at ${length}`).toThrow(DBusError);
    }
  });

  it('finds them all in one stream, however it is cut', () => {
    const all = recorded().map(({ hex }) => Buffer.from(hex, 'hex'));
    const stream = Buffer.concat(all);

    for (const size of [1, 7, 16, 4096, stream.length]) {
      const splitter = new MessageSplitter();
      const found: Buffer[] = [];
      for (let at = 0; at < stream.length; at += size) found.push(...splitter.push(stream.subarray(at, at + size)));
      expect(found.map(String)).toEqual(all.map(String));
    }
  });
});

interface Recorded {
  readonly title: string;
  readonly hex: string;
  /** What `busctl --json=short` printed for the same call. */
  readonly data?: { readonly type: string; readonly data: readonly unknown[] };
}

function recorded(): readonly Recorded[] {
  const text = readFileSync(new URL('fixtures/dbus-daemon.jsonl', import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded);
}

function bytesOf(title: string): Buffer {
  return Buffer.from(recorded().find((each) => each.title === title)?.hex ?? '', 'hex');
}

function missing(): never {
  throw new Error('not a message');
}

/** A value in the form that busctl prints. */
function asBusctl(value: DBusValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object') return value;
  if (value instanceof Uint8Array) return [...value];
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [key, asBusctl(each)]));
  if (isVariant(value)) return { type: value.signature, data: asBusctl(value.value) };
  return (value as readonly DBusValue[]).map(asBusctl);
}
