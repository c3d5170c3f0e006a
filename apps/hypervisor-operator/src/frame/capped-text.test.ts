import { expect, it } from 'vitest';

import { cappedText, withCappedTexts } from './capped-text.ts';

it.each([
  { what: 'a short text', text: 'busy', capped: 'busy' },
  { what: 'a text that just fits', text: 'a'.repeat(4096), capped: 'a'.repeat(4096) },
  { what: 'a text that is a byte too long', text: 'a'.repeat(4097), capped: `${'a'.repeat(4093)}…` },
  { what: 'a text of wide letters that is short enough', text: 'ü'.repeat(2048), capped: 'ü'.repeat(2048) },
  { what: 'a text of wide letters', text: 'ü'.repeat(2049), capped: `${'ü'.repeat(2046)}…` },
  { what: 'a text of pairs of code units', text: '😀'.repeat(2000), capped: `${'😀'.repeat(1023)}…` },
])('leaves of $what what a person reads', ({ text, capped }) => {
  expect(cappedText(text)).toBe(capped);
  expect(Buffer.byteLength(cappedText(text))).toBeLessThanOrEqual(4096);
});

it('caps texts wherever they stand', () => {
  const long = 'x'.repeat(40_000);
  const fields = { smokeTest: { failures: 1, message: long }, instances: [{ message: long }, { message: 'short' }] };

  expect(withCappedTexts(fields)).toEqual({
    smokeTest: { failures: 1, message: cappedText(long) },
    instances: [{ message: cappedText(long) }, { message: 'short' }],
  });
});

it('copies nothing that is short enough', () => {
  const fields = { evicted: false, gone: undefined, nothing: null, traits: ['A', 'B'], smokeTest: { failures: 1 } };

  expect(withCappedTexts(fields)).toBe(fields);
});
