import { expect, it } from 'vitest';

import { formatBytes } from './format-bytes.ts';

it.each([
  { bytes: 0, words: '0 B' },
  { bytes: 512, words: '512 B' },
  { bytes: 1024, words: '1 KiB' },
  { bytes: 1536, words: '1.5 KiB' },
  { bytes: 100 * 1024 ** 2, words: '100 MiB' },
  { bytes: 23.46 * 1024 ** 3, words: '23.5 GiB' },
  { bytes: 2 ** 60, words: '1024 PiB' },
  { bytes: Number.NaN, words: '–' },
])('shows $bytes as $words', ({ bytes, words }) => {
  expect(formatBytes(bytes)).toBe(words);
});
