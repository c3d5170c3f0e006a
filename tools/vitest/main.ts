// Runs the tests as `vitest run` does, and files that failed once more: real daemons on a busy machine race now and then,
// and which race it was is told, not hidden. A file runs again as a whole, since its tests build on each other.
// On the real API server it ends with 1 as well for anything that an account of the chart was refused, whoever bore it, and
// for a test that was left out when no list says why: a proof that does not run must not look like one that passed.
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

import { parseCLI, startVitest } from 'vitest/node';

import { judgeRefusals } from '../least-privilege/judge-refusals.ts';
import { closingLine } from './closing-line-reporter.ts';
import { countOutcomes, sumOutcomes, type RunOutcome } from './count-outcomes.ts';
import { judgeSkips } from './judge-skips.ts';
import { mergeRuns, passedOnlyThen, planSecondRun } from './plan-second-run.ts';
import { NEVER_ON_KUBERNETES, ONLY_WHERE_THERE } from './skipped-on-kubernetes.ts';

type Options = ReturnType<typeof parseCLI>['options'];

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
const outcome = options.mode === 'kubernetes' ? await runOnKubernetes() : await run();
console.log(closingLine(sumOutcomes(outcome)));

async function run(): Promise<RunOutcome> {
  const first = await runVitest(filter, options);
  const again = planSecondRun(first);
  return again.length === 0 ? first : await runAgain(first, again);
}

async function runOnKubernetes(): Promise<RunOutcome> {
  await using kept = await mkdtempDisposable(join(tmpdir(), 'smalt-refusals-'));
  // oxlint-disable-next-line node/no-process-env -- what beds in the workers are told
  process.env['SMALT_REFUSAL_DIRECTORY'] = kept.path;
  const ran = await run();
  const judged = await judgeRefusals(resolve(import.meta.dirname, '../..'), kept.path);
  tell(`refused by ${judged.servers} API servers, and no exception explains it`, judged.refusals);
  if (isWhole()) tell('exceptions that nothing was refused for', judged.stale);
  // Whoever asks for tests by their titles wants all others left out.
  if (options.testNamePattern === undefined) tellSkips(ran);
  return ran;
}

function tellSkips({ files, strayErrors }: RunOutcome): void {
  const byName = new Map([...files].map(([path, outcomes]) => [nameOf(path), outcomes]));
  const allowed = { always: NEVER_ON_KUBERNETES, sometimes: ONLY_WHERE_THERE };
  const { explained, unexplained, stale } = judgeSkips({ files: byName, strayErrors }, allowed);
  if (explained.length > 0) console.log(['\nleft out, as they may be:', ...explained].join('\n  '));
  tell('left out, and no list says why (tools/vitest/skipped-on-kubernetes.ts)', unexplained);
  if (isWhole()) tell('said to be left out always, and was not', stale);
}

function isWhole(): boolean {
  return filter.length === 0 && options.shard === undefined && options.changed === undefined;
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
