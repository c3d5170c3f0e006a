import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isXdrError, XdrError, XdrReader, XdrWriter } from './index.ts';

describe('what a writer wrote and a reader reads', () => {
  it('is the same, whatever values in whatever order', () => {
    fc.assert(
      fc.property(fc.array(values()), fc.nat({ max: 64 }), (written, initialBytes) => {
        const writer = new XdrWriter(initialBytes);
        for (const value of written) write(writer, value);
        const bytes = writer.take();
        const reader = new XdrReader(bytes);

        const readBack = written.map((value) => read(reader, value));

        reader.end();
        expect(readBack).toEqual(written);
        expect(bytes.length % 4).toBe(0);
      }),
    );
  });

  it('is unchanged by values refused in between', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(values(), fc.constantFrom(...REFUSED))), (steps) => {
        const plain = new XdrWriter();
        const disturbed = new XdrWriter();
        for (const [value, refused] of steps) {
          write(plain, value);
          write(disturbed, value);
          expect(() => refused(disturbed)).toThrow(XdrError);
        }

        expect(disturbed.take()).toEqual(plain.take());
      }),
    );
  });

  it('is an XdrError or values within limits for any bytes at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.array(values(), { minLength: 1 }), (bytes, shapes) => {
        const reader = new XdrReader(Buffer.from(bytes));

        readAll(reader, shapes);

        expect(reader.remaining).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

type Value =
  | { readonly kind: 'uint32' | 'int32' | 'float64' | 'count'; readonly value: number }
  | { readonly kind: 'uint64' | 'int64'; readonly value: bigint }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'opaque' | 'fixed'; readonly value: Buffer };

const REFUSED: readonly ((writer: XdrWriter) => void)[] = [
  (writer) => writer.uint32(-1),
  (writer) => writer.int32(0.5),
  (writer) => writer.uint64(-1n),
  (writer) => writer.int64(2n ** 63n),
  (writer) => writer.string('long', 3),
  (writer) => writer.string('\uDC00'),
  (writer) => writer.opaque(Buffer.alloc(300), 299),
  (writer) => writer.fixedOpaque(Buffer.alloc(300), 1),
  (writer) => writer.arrayLength(1.5),
];

function values(): fc.Arbitrary<Value> {
  const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
  return fc.oneof(
    of('uint32', fc.nat({ max: 0xffff_ffff })),
    of('int32', fc.integer()),
    of('float64', fc.double()),
    of('count', fc.constant(0)),
    of('uint64', fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
    of('int64', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    of('bool', fc.boolean()),
    of('string', fc.string({ unit: 'binary', maxLength: 300 })),
    of('opaque', bytes),
    of('fixed', bytes),
  );
}

function of<Kind extends Value['kind'], Inner>(
  kind: Kind,
  inner: fc.Arbitrary<Inner>,
): fc.Arbitrary<{ kind: Kind; value: Inner }> {
  return inner.map((value) => ({ kind, value }));
}

function readAll(reader: XdrReader, shapes: readonly Value[]): void {
  try {
    for (const shape of shapes) read(reader, shape);
    reader.end();
  } catch (error) {
    if (!isXdrError(error)) throw error;
  }
}

function write(writer: XdrWriter, { kind, value }: Value): void {
  switch (kind) {
    case 'uint32':
    case 'int32':
    case 'float64':
      return writer[kind](value);
    case 'count':
      return writer.arrayLength(value);
    case 'uint64':
    case 'int64':
      return writer[kind](value);
    case 'bool':
      return writer.bool(value);
    case 'string':
      return writer.string(value);
    case 'opaque':
      return writer.opaque(value);
    case 'fixed':
      return writer.fixedOpaque(value, value.length);
  }
}

function read(reader: XdrReader, { kind, value }: Value): { kind: Value['kind']; value: unknown } {
  switch (kind) {
    case 'count':
      return { kind, value: reader.arrayLength() };
    case 'fixed':
      return { kind, value: reader.fixedOpaque(value.length) };
    case 'uint32':
    case 'int32':
    case 'float64':
    case 'uint64':
    case 'int64':
    case 'bool':
    case 'string':
    case 'opaque':
      return { kind, value: reader[kind]() };
  }
}
