// Runs the tests as `vitest run` does, and files that failed once more: real daemons on a busy machine race now and then,
// and which race it was is told, not hidden. A file runs again as a whole, since its tests build on each other.
// On the real API server it ends with 1 as well for anything that an account of the chart was refused, whoever bore it.
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

import { parseCLI, startVitest } from 'vitest/node';

import { judgeRefusals } from '../least-privilege/judge-refusals.ts';
import { closingLine } from './closing-line-reporter.ts';
import { countOutcomes, sumOutcomes, type RunOutcome } from './count-outcomes.ts';
import { mergeRuns, passedOnlyThen, planSecondRun } from './plan-second-run.ts';

type Options = ReturnType<typeof parseCLI>['options'];

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
const outcome = options.mode === 'kubernetes' ? await runWithRefusals() : await run();
console.log(closingLine(sumOutcomes(outcome)));

async function run(): Promise<RunOutcome> {
  const first = await runVitest(filter, options);
  const again = planSecondRun(first);
  return again.length === 0 ? first : await runAgain(first, again);
}

async function runWithRefusals(): Promise<RunOutcome> {
  await using kept = await mkdtempDisposable(join(tmpdir(), 'smalt-refusals-'));
  // oxlint-disable-next-line node/no-process-env -- what beds in the workers are told
  process.env['SMALT_REFUSAL_DIRECTORY'] = kept.path;
  const ran = await run();
  const judged = await judgeRefusals(resolve(import.meta.dirname, '../..'), kept.path);
  tell(`refused by ${judged.servers} API servers, and no exception explains it`, judged.refusals);
  const isWhole = filter.length === 0 && options.shard === undefined && options.changed === undefined;
  if (isWhole) tell('exceptions that nothing was refused for', judged.stale);
  return ran;
}

function tell(title: string, faults: readonly string[]): void {
  console.log(`\n${title}: ${faults.length || 'nothing'}`);
  for (const fault of faults) console.log(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

async function runAgain(first: RunOutcome, files: readonly string[]): Promise<RunOutcome> {
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
