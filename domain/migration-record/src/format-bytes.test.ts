import { expect, it } from 'vitest';

import { formatBytes } from './format-bytes.ts';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1536, '1.5 KiB'],
  [1280, '1.2 KiB'],
  [1408, '1.4 KiB'],
  [1048575, '1024.0 KiB'],
  [10905190, '10.4 MiB'],
  [4294967296, '4.0 GiB'],
  [64 * 1024 ** 3, '64.0 GiB'],
  [1024 ** 5 * 1.5, '1.5 PiB'],
  [1024 ** 7, '1024.0 EiB'],
])('prints %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
