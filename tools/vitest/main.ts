// Runs the tests as `vitest run` does, and files that failed once more: real daemons on a busy machine race now and then,
// and which race it was is told, not hidden. A file runs again as a whole, since its tests build on each other.
import { relative } from 'node:path';

import { parseCLI, startVitest } from 'vitest/node';

import { closingLine } from './closing-line-reporter.ts';
import { countOutcomes, sumOutcomes, type RunOutcome } from './count-outcomes.ts';
import { mergeRuns, passedOnlyThen, planSecondRun } from './plan-second-run.ts';

type Options = ReturnType<typeof parseCLI>['options'];

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
const first = await runVitest(filter, options);
const again = planSecondRun(first);
const outcome = again.length === 0 ? first : await runAgain(again);
console.log(closingLine(sumOutcomes(outcome)));

async function runAgain(files: readonly string[]): Promise<RunOutcome> {
  console.log(`\nonce more, each alone: ${files.map(nameOf).join(', ')}`);
  process.exitCode = 0;
  // What chose the files of the first run must not choose among these.
  const { shard: _shard, changed: _changed, ...rest } = options;
  const second = await runVitest(files, { ...rest, fileParallelism: false, isolate: true });
  for (const file of passedOnlyThen(first, second)) {
    console.log(`passed only on the second run, look into it: ${nameOf(file)}`);
  }
  return mergeRuns(first, second);
}

async function runVitest(paths: readonly string[], settings: Options): Promise<RunOutcome> {
  // The closing line is that of both runs, so it is not for a reporter to write.
  const { state } = await startVitest([...paths], { ...settings, reporters: ['default'] });
  return countOutcomes(state.getTestModules(), state.getUnhandledErrors());
}

function nameOf(path: string): string {
  return relative(process.cwd(), path);
}
