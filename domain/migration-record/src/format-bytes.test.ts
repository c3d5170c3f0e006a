import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { formatBytes, parseBytes } from './format-bytes.ts';

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

it('reads what it prints', () => {
  fc.assert(
    fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (bytes) => {
      const text = formatBytes(bytes);

      expect(formatBytes(parseBytes(text) ?? 0)).toBe(
        text.replace(/^1024\.0 (.)iB$/, (_, unit) => `1.0 ${NEXT[unit]}iB`),
      );
    }),
  );
});

it.each(['', '5', '1.25 KiB', '-1 B', '1.0 KB', '1.0 KiB/s'])('reads nothing from %j', (text) => {
  expect(parseBytes(text)).toBeUndefined();
});

const NEXT: Readonly<Record<string, string>> = { K: 'M', M: 'G', G: 'T', T: 'P', P: 'E' };
