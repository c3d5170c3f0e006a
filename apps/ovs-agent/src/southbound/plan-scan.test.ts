import { expect, it } from 'vitest';

import { nextScanMs } from './plan-scan.ts';

const scanMs = 900_000;

it.each([
  { flows: 300, hasFindings: false, random: 0.5, delay: 900_000 },
  { flows: 300, hasFindings: false, random: 0, delay: 675_000 },
  { flows: 300, hasFindings: false, random: 1, delay: 1_125_000 },
  { flows: 50_000, hasFindings: false, random: 0.5, delay: 4_500_000 },
  { flows: 50_000_000, hasFindings: false, random: 0.5, delay: 86_400_000 },
  { flows: 50_000, hasFindings: true, random: 0.5, delay: 65_000 },
])('waits $delay ms after $flows flows, findings: $hasFindings', ({ delay, ...facts }) => {
  expect(nextScanMs({ scanMs, ...facts })).toBe(delay);
});

it('does not wait longer for what was found than it would without', () => {
  expect(nextScanMs({ scanMs: 1_000, flows: 1, hasFindings: true, random: 0.5 })).toBe(1_000);
});
