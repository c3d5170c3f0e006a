import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { printableText } from './printable-text.ts';

it.each([
  { name: 'an escape sequence', text: '\u001B[2Jweb', shown: String.raw`\u{1b}[2Jweb` },
  { name: 'a control character of one byte', text: 'a\u009B31mb', shown: String.raw`a\u{9b}31mb` },
  { name: 'a line break', text: 'web\r\nforged', shown: String.raw`web\u{d}\u{a}forged` },
  { name: 'a change of direction', text: 'a\u202Eb', shown: String.raw`a\u{202e}b` },
  { name: 'half a character', text: 'a\uD800b', shown: String.raw`a\u{d800}b` },
  { name: 'letters of any language', text: 'Größe 名前 😀', shown: 'Größe 名前 😀' },
])('shows $name as text', ({ text, shown }) => {
  expect(printableText(text)).toBe(shown);
});

it('leaves nothing that steers a terminal, whatever the text', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0x2100 })), (characters) => {
      expect(printableText(String.fromCodePoint(...characters))).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }),
  );
});
