import { expect, it } from 'vitest';

import { checks } from './checks.ts';
import { runCheck } from './run-check.ts';

it.each(checks)('the tree passes the check of its $name', { timeout: 300_000 }, async (check) => {
  const { passed, output } = await runCheck(check);

  expect(passed ? 'passed' : output).toBe('passed');
});
