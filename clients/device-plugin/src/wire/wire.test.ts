import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isDevicePluginError } from '../device-plugin-error.ts';
import { readMessage } from './read-message.ts';
import { mapFields, textFields, writeMessage } from './write-message.ts';

describe('messages', () => {
  it('come back as they were written', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' }));
    const number = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

    fc.assert(
      fc.property(texts, number, fc.dictionary(fc.string(), fc.string()), (list, size, map) => {
        const bytes = writeMessage([...textFields(1, list), [2, size], ...mapFields(300, map)]);
        const fields = readMessage(bytes);

        expect(fields.texts(1)).toEqual(list);
        expect(fields.number(2)).toBe(size);
        expect(Object.fromEntries(fields.messages(300).map((entry) => [entry.text(1), entry.text(2)]))).toEqual(map);
      }),
    );
  });

  it('are read or refused, whatever bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(['read', 'bad-message']).toContain(outcomeOf(Buffer.from(bytes)));
      }),
    );
  });

  it('leave out what holds nothing, and keep messages that are empty', () => {
    expect(
      writeMessage([
        [1, ''],
        [2, 0],
        [3, false],
        [4, Buffer.alloc(0)],
        [5, true],
      ]).toString('hex'),
    ).toBe('22002801');
  });

  it('skip fields of kinds that only newer peers send', () => {
    const bytes = Buffer.from('0900000000000000001500000000120161', 'hex');

    expect(readMessage(bytes).text(2)).toBe('a');
  });

  it.each([
    ['0a05', 'goes beyond the end of its message'],
    ['0aff', 'ends within a number'],
    ['00', 'has the number 0'],
    ['0b', 'has the wire type 3'],
    ['08ffffffffffffffffffff01', 'more than ten bytes'],
    ['0a01ff', 'not UTF-8'],
  ])('are refused as %s', (hex, words) => {
    expect(() => readMessage(Buffer.from(hex, 'hex')).text(1)).toThrow(words);
  });
});

function outcomeOf(bytes: Buffer): string {
  try {
    readMessage(bytes).texts(1);
    return 'read';
  } catch (error) {
    return isDevicePluginError(error) ? error.code : String(error);
  }
}
