import type { SmaltProgram } from '@smalt/bed-kubernetes';

import type { Benchmark, BenchmarkOptions, BenchmarkReport } from '../src/benchmark.ts';
import { machineFacts } from '../src/machine-facts.ts';
import { planConsole, type ConsolePlan } from './console-plan.ts';
import type { ConsoleResults, Paint } from './console-result.ts';
import { startWorld } from './console-world.ts';
import { consoleFigures, LIMITS } from './figures.ts';
import { makeMachines } from './make-machines.ts';
import { measureFirstPage } from './measure-first-page.ts';
import { measureFrames } from './measure-frames.ts';
import { measurePaint } from './measure-paint.ts';
import { measureUp } from './measure-up.ts';
import { consoleTables } from './tables.ts';

/** The console in a browser: what it loads, how soon it shows a large list, how it keeps up, and how soon all runs. */
export const consoleBenchmark: Benchmark = {
  name: 'console',
  summary:
    'the console in Chromium: what it loads, first paint and frames with 1,000 machines; smalt up until it is ready',
  run: runConsoleBenchmark,
};

async function runConsoleBenchmark(
  { quick, progress }: BenchmarkOptions,
  signal: AbortSignal,
): Promise<BenchmarkReport> {
  const plan = planConsole(quick);
  const upMs: number[] = [];
  for (let start = 1; start <= plan.starts; start += 1) {
    progress(`smalt up, start ${start} of ${plan.starts}`);
    upMs.push(await measureUp(signal));
  }
  const results = { ...(await measurePages({ program: 'bundle', plan, progress }, signal)), upMs };
  return {
    bench: 'console',
    facts: machineFacts(),
    tables: consoleTables(results),
    notes: notesOf(plan, quick),
    figures: consoleFigures(results),
    targets: {},
    limits: LIMITS,
  };
}

export interface PageOptions {
  readonly program: SmaltProgram;
  readonly plan: ConsolePlan;
  readonly progress: (line: string) => void;
}

/** All that a browser is needed for. */
export async function measurePages(
  { program, plan, progress }: PageOptions,
  signal: AbortSignal,
): Promise<Omit<ConsoleResults, 'upMs'>> {
  await using world = await startWorld(program, signal);
  progress(`making ${plan.machines} machines`);
  await makeMachines(world.client, plan.machines, signal);
  progress('opening their list');
  const files = await measureFirstPage(world);
  const paints: Paint[] = [];
  for (let count = 0; count < plan.paints; count += 1) paints.push(await measurePaint(world));
  progress(`changing ${plan.updatesPerSecond} of them a second`);
  return { machines: plan.machines, files, paints, frames: await measureFrames(world, plan, signal) };
}

function notesOf({ machines, paints, updatesPerSecond, starts }: ConsolePlan, isQuick: boolean): readonly string[] {
  return [
    `${machines} machines are objects in an API server without controllers, so that they change when the benchmark says; API server, console and browser share this machine`,
    `first_paint_ms is when the first rows stand, the median of ${paints} loads with an empty cache`,
    `frames: ${updatesPerSecond} changes a second go through all machines in turn`,
    `up_ready_s is the median of ${starts} starts from the bundle on empty data directories, from the start of the process until it says that it is ready`,
    ...(isQuick ? ['quick run: fewer machines, so no figures of 1,000'] : []),
  ];
}
