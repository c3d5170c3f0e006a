import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

import { playInProcesses } from './play-in-processes.ts';
import { parseSeeds, seedCount } from './seed-range.ts';
import type { SeedTotals } from './seed-totals.ts';
import { simulateSeed } from './simulate-seed.ts';

const USAGE = `usage: npm run simulate -- [--seeds FIRST..LAST] [--jobs N]
       npm run simulate -- --seed N [--verbose]

  Plays stories of a fleet in which everything fails that can: hosts, BMCs, networks, the compute system, Kubernetes, the
  store, and the HA service itself. A seed is one story of about three quarters of an hour, and always the same.

  --seeds A..B  the stories to play (1..1000)
  --jobs N      how many processes play them (${availableParallelism()})
  --seed N      plays one story
  --verbose     tells it`;

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => stopping.abort(new Error(`stopped by ${name}`)));

try {
  process.exitCode = await main(process.argv.slice(2), stopping.signal);
} catch (error) {
  console.error(error instanceof RangeError || stopping.signal.aborted ? String(error) : error);
  process.exitCode = error instanceof RangeError ? 2 : 1;
}

async function main(words: readonly string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seeds: { type: 'string' },
      seed: { type: 'string' },
      jobs: { type: 'string' },
      verbose: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  if (values.seed !== undefined) return playOne(parseSeeds(values.seed).first, values.verbose === true);
  const range = parseSeeds(values.seeds ?? '1..1000');
  const jobs = parseSeeds(values.jobs ?? String(availableParallelism())).first;
  const began = performance.now();
  let toldAt = 0;
  const progress = (totals: SeedTotals) => {
    const now = performance.now();
    if (now - toldAt < 2_000) return;
    toldAt = now;
    console.log(progressLine(totals, seedCount(range), (now - began) / 1000));
  };
  const totals = await playInProcesses(range, { jobs: Math.max(1, jobs), progress, signal });
  await tellTotals(totals, (performance.now() - began) / 1000);
  return totals.failures.length === 0 ? 0 : 1;
}

async function playOne(seed: number, isTold: boolean): Promise<number> {
  const report = await simulateSeed(seed, { isTold });
  for (const line of report.lines) console.log(line);
  for (const violation of report.violations) console.log(`BROKEN: ${violation}`);
  console.log(`seed ${seed}: ${report.incidents} incidents, ${fatesText(report.fates)}, story ${report.hash}`);
  return report.violations.length === 0 ? 0 : 1;
}

function progressLine({ seeds, incidents, failures }: SeedTotals, all: number, seconds: number): string {
  const rate = Math.round(incidents / seconds);
  return `${seeds} of ${all} seeds, ${incidents} incidents, ${rate} incidents/s, ${brokenText(failures)}`;
}

/** The first failing seeds with their stories, and how to see each again. */
async function tellTotals(totals: SeedTotals, seconds: number): Promise<void> {
  for (const { seed, violations } of totals.failures.slice(0, 20)) {
    console.log(`BROKEN in seed ${seed}: ${violations[0]}`);
    console.log(`  npm run simulate -- --seed ${seed} --verbose`);
  }
  const worst = totals.failures[0];
  if (worst !== undefined) {
    console.log(`the story of seed ${worst.seed}:`);
    for (const line of (await simulateSeed(worst.seed, { isTold: true })).lines) console.log(`  ${line}`);
  }
  const { seeds, incidents, fences, rebuilds, inTime, failures } = totals;
  console.log(`by fate: ${fatesText(totals.fates)}`);
  console.log(
    `${incidents} incidents in ${seeds} seeds, ${fences} orders to power off, ${rebuilds} instances rebuilt, ` +
      `${inTime} hosts recovered with nothing in the way, ` +
      `${seconds.toFixed(0)} s (${Math.round(incidents / seconds)} incidents/s), ${brokenText(failures)}`,
  );
}

function fatesText(fates: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(fates).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([fate, count]) => `${count} ${fate}`).join(', ') || 'none';
}

function brokenText(failures: SeedTotals['failures']): string {
  const seeds = failures.map(({ seed }) => seed).toSorted((a, b) => a - b);
  return seeds.length === 0 ? '0 seeds broken' : `${seeds.length} seeds broken: ${seeds.join(', ')}`;
}
