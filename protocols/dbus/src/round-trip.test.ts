import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { DBusValue } from './dbus-value.ts';
import { decodeMessage } from './decode-message.ts';
import { encodeMessage } from './encode-message.ts';
import { isDBusError } from './dbus-error.ts';
import { MessageSplitter } from './message-splitter.ts';
import type { DBusMessage } from './message.ts';

describe('any message', () => {
  it('is read as it was written, in both byte orders', () => {
    fc.assert(
      fc.property(typedValues(), fc.constantFrom('little', 'big'), (values, endian) => {
        const message = signal(values);

        const read = decodeMessage(encodeMessage(message, endian));

        expect(read).toEqual({ ...message, noReply: false, noAutoStart: false });
      }),
    );
  });

  it('is found in a stream, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(typedValues(), { maxLength: 4 }), fc.integer({ min: 1, max: 64 }), (lists, size) => {
        const all = lists.map((values) => encodeMessage(signal(values)));
        const stream = Buffer.concat(all);
        const splitter = new MessageSplitter();

        const found: Buffer[] = [];
        for (let at = 0; at < stream.length; at += size) found.push(...splitter.push(stream.subarray(at, at + size)));

        expect(found).toEqual(all);
      }),
      { numRuns: 50 },
    );
  });

  it('is read or refused, never misread into a crash, when some of its bytes are changed', () => {
    fc.assert(
      fc.property(typedValues(), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }), (values, changes) => {
        const bytes = encodeMessage(signal(values));
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;

        const outcome = readOrRefuse(bytes);

        expect(['read', 'refused']).toContain(outcome);
      }),
      { numRuns: 500 },
    );
  });

  it('is refused, not crashed on, when it is nothing but noise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(['read', 'refused']).toContain(readOrRefuse(bytes));
      }),
    );
  });
});

function readOrRefuse(bytes: Uint8Array): string {
  try {
    decodeMessage(bytes);
    return 'read';
  } catch (error) {
    return isDBusError(error) ? 'refused' : String(error);
  }
}

interface TypedValue {
  readonly signature: string;
  readonly value: DBusValue;
}

function signal(values: readonly TypedValue[]): DBusMessage {
  return {
    kind: 'signal',
    serial: 7,
    path: '/a/b',
    interface: 'org.example.Thing',
    member: 'Happened',
    ...(values.length > 0 ? { signature: values.map(({ signature }) => signature).join('') } : {}),
    body: values.map(({ value }) => value),
  };
}

function typedValues(): fc.Arbitrary<readonly TypedValue[]> {
  return fc.array(typedValue(3), { maxLength: 4 });
}

function typedValue(depth: number): fc.Arbitrary<TypedValue> {
  const basics = Object.entries(BASICS).map(([signature, values]) => values.map((value) => ({ signature, value })));
  const bytes = fc.uint8Array({ maxLength: 20 }).map((value) => ({ signature: 'ay', value }));
  if (depth === 0) return fc.oneof(...basics, bytes);
  const inner = typedValue(depth - 1);
  const variant = inner.map((value): TypedValue => ({ signature: 'v', value }));
  const struct = fc.array(inner, { minLength: 1, maxLength: 3 }).map((fields) => ({
    signature: `(${fields.map(({ signature }) => signature).join('')})`,
    value: fields.map(({ value }) => value),
  }));
  // Bytes in an array make the array of bytes, which is another value.
  const array = inner
    .filter(({ signature }) => signature !== 'y')
    .chain(({ signature, value }) =>
      fc.nat(3).map((count) => ({ signature: `a${signature}`, value: Array.from({ length: count }, () => value) })),
    );
  const dictionary = fc.tuple(fc.uniqueArray(text(), { maxLength: 3 }), inner).map(([keys, { signature, value }]) => ({
    signature: `a{s${signature}}`,
    value: new Map<DBusValue, DBusValue>(keys.map((key) => [key, value])),
  }));
  return fc.oneof(...basics, bytes, variant, struct, array, dictionary);
}

function text(): fc.Arbitrary<string> {
  return fc.string({ unit: 'binary', maxLength: 20 }).map((value) => value.replaceAll('\0', ''));
}

const BASICS: Readonly<Record<string, fc.Arbitrary<DBusValue>>> = {
  y: fc.nat(255),
  b: fc.boolean(),
  n: fc.integer({ min: -32_768, max: 32_767 }),
  q: fc.nat(65_535),
  i: fc.integer(),
  u: fc.nat(0xffff_ffff),
  x: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  t: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  d: fc.double(),
  s: text(),
  o: fc.constantFrom('/', '/a', '/org/freedesktop/systemd1/unit/a_2eservice'),
  g: fc.constantFrom('', 's', 'a{sv}', '(ii)'),
  h: fc.nat(10),
};
