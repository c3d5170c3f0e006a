import { XdrReader, XdrWriter } from '@smalt/xdr';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readUuid, writeUuid } from './uuid.ts';

describe('readUuid', () => {
  it('gives lower-case text with dashes', () => {
    const bytes = Buffer.from('00112233445566778899AABBCCDDEEFF', 'hex');

    expect(readUuid(new XdrReader(bytes))).toBe('00112233-4455-6677-8899-aabbccddeeff');
  });

  it('gives what the bytes are in hexadecimal', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const uuid = readUuid(new XdrReader(Buffer.from(bytes)));

        expect(uuid.replaceAll('-', '')).toBe(Buffer.from(bytes).toString('hex'));
        expect(uuid.split('-').map((part) => part.length)).toEqual([8, 4, 4, 4, 12]);
      }),
    );
  });

  it('refuses fewer than 16 bytes', () => {
    expect(() => readUuid(new XdrReader(Buffer.alloc(15)))).toThrow('4 bytes wanted at byte 12, but only 3 are left');
  });
});

describe('writeUuid', () => {
  it('writes what readUuid gave', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const writer = new XdrWriter();

        writeUuid(writer, uuid);

        expect(readUuid(new XdrReader(writer.take()))).toBe(uuid);
      }),
    );
  });

  it('takes upper-case text too', () => {
    const writer = new XdrWriter();

    writeUuid(writer, '00112233-4455-6677-8899-AABBCCDDEEFF');

    expect(writer.take().toString('hex')).toBe('00112233445566778899aabbccddeeff');
  });

  it.each(['', 'web-1', '00112233445566778899aabbccddeeff', '00112233-4455-6677-8899-aabbccddeefg'])(
    "refuses '%s'",
    (text) => {
      const writer = new XdrWriter();

      expect(() => writeUuid(writer, text)).toThrow(`'${text}' is not a UUID`);
      expect(writer.length).toBe(0);
    },
  );
});
