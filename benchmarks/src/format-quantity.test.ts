import { expect, it } from 'vitest';
import { formatMebibytes, formatRate, formatRatio, formatSeconds } from './format-quantity.ts';

it.each([
  { seconds: 0.000_001_23, text: '1.23 µs' },
  { seconds: 0.000_143, text: '143 µs' },
  { seconds: 0.012_34, text: '12.3 ms' },
  { seconds: 2.5, text: '2.50 s' },
])('writes $seconds seconds as $text', ({ seconds, text }) => {
  expect(formatSeconds(seconds)).toBe(text);
});

it.each([
  { perSecond: 812.4, text: '812 /s' },
  { perSecond: 26_812, text: '26.8 k/s' },
])('writes a rate of $perSecond as $text', ({ perSecond, text }) => {
  expect(formatRate(perSecond)).toBe(text);
});

it('writes sizes in MiB and missing ratios as a dash', () => {
  expect(formatMebibytes(10.5 * 1024 ** 2)).toBe('10.5 MiB');
  expect(formatRatio(1.204)).toBe('1.20×');
  expect(formatRatio(null)).toBe('–');
});
