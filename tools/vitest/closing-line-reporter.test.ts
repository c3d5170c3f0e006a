import { expect, it } from 'vitest';

import { closingLine } from './closing-line-reporter.ts';

it.each([
  { outcomes: { passed: 12, failed: 0, skipped: 0 }, line: '12 passed, 0 failed' },
  { outcomes: { passed: 1, failed: 2, skipped: 3 }, line: '1 passed, 2 failed, 3 skipped' },
])('closes with "$line"', ({ outcomes, line }) => {
  expect(closingLine(outcomes)).toBe(line);
});
