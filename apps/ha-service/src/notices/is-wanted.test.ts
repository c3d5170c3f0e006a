import { expect, it } from 'vitest';

import { isWanted } from './is-wanted.ts';

it.each([
  { kinds: [], leastSeverity: 'info', kind: 'fence', severity: 'info', wanted: true },
  { kinds: [], leastSeverity: 'warning', kind: 'fence', severity: 'info', wanted: false },
  { kinds: [], leastSeverity: 'warning', kind: 'fence', severity: 'critical', wanted: true },
  { kinds: ['fence'], leastSeverity: 'info', kind: 'fence', severity: 'info', wanted: true },
  { kinds: ['fence'], leastSeverity: 'info', kind: 'refusal', severity: 'critical', wanted: false },
  { kinds: ['fence'], leastSeverity: 'critical', kind: 'fence', severity: 'warning', wanted: false },
] as const)('$kind of $severity is wanted by $kinds from $leastSeverity: $wanted', ({ wanted, ...given }) => {
  expect(isWanted(given, given)).toBe(wanted);
});
