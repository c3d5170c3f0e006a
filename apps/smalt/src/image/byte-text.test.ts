import { expect, it } from 'vitest';

import { byteText } from './byte-text.ts';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [64 << 20, '64 MiB'],
  [10.25 * 2 ** 30, '10 GiB'],
  [3 * 2 ** 50, '3072 TiB'],
])('%i bytes are %s', (bytes, text) => {
  expect(byteText(bytes)).toBe(text);
});
