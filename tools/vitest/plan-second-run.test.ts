import { expect, it } from 'vitest';

import { sumOutcomes, type FileOutcomes, type RunOutcome } from './count-outcomes.ts';
import { mergeRuns, passedOnlyThen, planSecondRun } from './plan-second-run.ts';

const passed: FileOutcomes = { passed: 2, failed: 0, skipped: 1, skippedTests: [] };
const failed: FileOutcomes = { passed: 1, failed: 1, skipped: 1, skippedTests: [] };

it.each([
  { title: 'nothing when all passed', run: runOf({ a: passed }), files: [] },
  { title: 'what failed', run: runOf({ a: passed, b: failed, c: failed }), files: ['b', 'c'] },
  { title: 'six files', run: runOf(failures(6)), files: Object.keys(failures(6)) },
  { title: 'nothing of seven', run: runOf(failures(7)), files: [] },
  {
    title: 'nothing when an error is nobody’s, as no second run would clear it',
    run: runOf({ a: failed }, 1),
    files: [],
  },
])('runs again $title', ({ run, files }) => {
  expect(planSecondRun(run)).toEqual(files);
});

it('counts each file as it ended, and names those that came round', () => {
  const first = runOf({ a: passed, b: failed, c: failed });
  const second = runOf({ b: passed, c: failed });

  expect(sumOutcomes(mergeRuns(first, second))).toEqual({ passed: 5, failed: 1, skipped: 3 });
  expect(passedOnlyThen(first, second)).toEqual(['b']);
});

it('holds a failure against a file that did not come to run again', () => {
  const first = runOf({ a: failed });
  const second = runOf({}, 1);

  expect(sumOutcomes(mergeRuns(first, second))).toEqual({ passed: 1, failed: 2, skipped: 1 });
  expect(passedOnlyThen(first, second)).toEqual([]);
});

function runOf(files: Readonly<Record<string, FileOutcomes>>, strayErrors = 0): RunOutcome {
  return { files: new Map(Object.entries(files)), strayErrors };
}

function failures(count: number): Readonly<Record<string, FileOutcomes>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`file-${index}`, failed]));
}
