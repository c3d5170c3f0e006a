import type { Figure } from '../src/benchmark.ts';
import { costRatio, roundFigure } from '../src/ratio.ts';
import type { FleetResult, FleetSample, PartName } from './fleet-result.ts';
import { SERVER_NAMES } from './server-name.ts';

const MEBIBYTE = 1024 ** 2;
/** What is paid for a fleet. Daemons are of the mock hypervisor, and cost something else than real ones. */
export const PAID: readonly PartName[] = ['server', 'controllers', 'agents'];
const CENTRAL: readonly PartName[] = ['server', 'controllers'];
/** Beyond it parts wait for each other, and what they would have done in that time is not seen. */
const MOST_BUSY = 0.97;
/** A machine that would have to be so many times as large has no answer to give, however long it is waited for. */
const MOST_NEEDED = 1.5;
const SUFFIXES = { smalt: '', kubernetes: '_kube' } as const;

/** Linear, and a tenth for what a measurement is worth. */
const MOST_OVER_LINEAR = 1.1;

export interface FleetFigures {
  /** Null where there was no such size, or where the machine had no time left. */
  readonly figures: Readonly<Record<string, Figure>>;
  /** The most that some of them may be. */
  readonly limits: Readonly<Record<string, number>>;
}

/**
 * What counts, named for the smallest and the largest of the sizes. Where a server did not come that far, those of the
 * sizes that it reached stand beside them.
 */
export function fleetFigures(results: readonly FleetResult[], sizes: readonly number[]): FleetFigures {
  const figures: Record<string, Figure> = {};
  const limits: Record<string, number> = {};
  for (const server of SERVER_NAMES) {
    const samples = results.find((result) => result.server === server)?.samples ?? [];
    const suffix = SUFFIXES[server];
    const last = samples.at(-1);
    for (const growth of growthsOf(samples, sizes)) {
      const name = `cost_growth_${growth.from}_to_${growth.to}${suffix}`;
      figures[name] = costRatio(paidOf(samples, growth.to), paidOf(samples, growth.from));
      limits[name] = roundFigure((growth.to / growth.from) * MOST_OVER_LINEAR) ?? 0;
    }
    figures[`api_calls_per_host_minute${suffix}`] = last === undefined ? null : callsPerHostMinute(last);
    for (const hosts of distinct([sizes.at(-1), last?.hosts])) {
      const sample = samples.find((each) => each.hosts === hosts);
      figures[`rss_mb_${hosts}_hosts${suffix}`] = sample === undefined ? null : centralMebibytes(sample);
    }
  }
  return { figures, limits };
}

interface Growth {
  readonly from: number;
  readonly to: number;
}

/** From the smallest size to the largest, and to the largest that can be told. */
function growthsOf(samples: readonly FleetSample[], [from, ...more]: readonly number[]): readonly Growth[] {
  if (from === undefined) return [];
  const reached = samples.findLast(isSettled)?.hosts;
  return distinct([more.at(-1), reached])
    .filter((to) => to > from)
    .map((to) => ({ from, to }));
}

/** The processor time of a size that had all it wanted. */
function paidOf(samples: readonly FleetSample[], hosts: number): number | undefined {
  const sample = samples.find((each) => each.hosts === hosts);
  return sample !== undefined && isSettled(sample) ? cpuShare(sample, PAID) : undefined;
}

function isSettled({ busyShare }: FleetSample): boolean {
  return busyShare <= MOST_BUSY;
}

function centralMebibytes(sample: FleetSample): number {
  return residentBytes(sample, CENTRAL) / MEBIBYTE;
}

function distinct(sizes: readonly (number | undefined)[]): readonly number[] {
  return [...new Set(sizes)].filter((size) => size !== undefined);
}

/**
 * Whether a larger fleet finds the processors that it needs, or nearly so, if each new host takes as much as those that came
 * between the last two samples. One sample alone does not tell what a host takes: a server has work of its own.
 */
export function hasRoomFor(hosts: number, samples: readonly FleetSample[]): boolean {
  const [before, last] = samples.slice(-2);
  if (before === undefined) return true;
  if (last === undefined) return isSettled(before);
  const each = (last.busyShare - before.busyShare) / (last.hosts - before.hosts);
  return isSettled(last) && last.busyShare + each * (hosts - last.hosts) <= MOST_NEEDED;
}

/** Which share of one processor these parts took. */
export function cpuShare({ costs, seconds }: FleetSample, parts: readonly PartName[]): number {
  return sum(costs.filter(({ part }) => parts.includes(part)).map(({ cpuSeconds }) => cpuSeconds)) / seconds;
}

export function residentBytes({ costs }: FleetSample, parts: readonly PartName[]): number {
  return sum(costs.filter(({ part }) => parts.includes(part)).map((cost) => cost.residentBytes));
}

/** All requests that hosts and controllers have made. */
export function callsPerHostMinute({ requests, hosts, seconds }: FleetSample): number {
  return (sum(requests.map(({ count }) => count)) * 60) / (hosts * seconds);
}

export function watchBytesPerHostMinute({ watches, hosts, seconds }: FleetSample): number {
  return (sum(watches.map(({ bytes }) => bytes)) * 60) / (hosts * seconds);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
