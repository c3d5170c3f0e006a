import type { Figure } from '../src/benchmark.ts';
import { costRatio } from '../src/ratio.ts';
import type { FleetResult, FleetSample, PartName } from './fleet-result.ts';

const SMALL = 100;
const LARGE = 1_000;
const MEBIBYTE = 1024 ** 2;
/** What is paid for a fleet. Daemons are of the mock hypervisor, and cost something else than real ones. */
export const PAID: readonly PartName[] = ['server', 'controllers', 'agents'];
const CENTRAL: readonly PartName[] = ['server', 'controllers'];
/** Beyond it parts wait for each other, and what they would have done in that time is not seen. */
const MOST_BUSY = 0.97;
/** A machine that would have to be so many times as large has no answer to give, however long it is waited for. */
const MOST_NEEDED = 1.5;
const SUFFIXES = { smalt: '', kubernetes: '_kube' } as const;

/** The most each of these figures may be. */
export const LIMITS: Readonly<Record<string, number>> = {
  cost_growth_100_to_1000: 11,
  cost_growth_100_to_1000_kube: 11,
};

/** What counts; null where there was no such size, or where the machine had no time left. */
export function fleetFigures(results: readonly FleetResult[]): Record<string, Figure> {
  const figures: Record<string, Figure> = {};
  for (const server of ['smalt', 'kubernetes'] as const) {
    const samples = results.find((result) => result.server === server)?.samples ?? [];
    const suffix = SUFFIXES[server];
    const [small, large] = [sampleOf(samples, SMALL), sampleOf(samples, LARGE)];
    const last = samples.at(-1);
    const isSettled = large !== undefined && large.busyShare <= MOST_BUSY;
    const growth = costRatio(large && cpuShare(large, PAID), small && cpuShare(small, PAID));
    figures[`cost_growth_100_to_1000${suffix}`] = isSettled ? growth : null;
    figures[`api_calls_per_host_minute${suffix}`] = last === undefined ? null : callsPerHostMinute(last);
    figures[`rss_mb_1000_hosts${suffix}`] = large === undefined ? null : residentBytes(large, CENTRAL) / MEBIBYTE;
  }
  return figures;
}

/** Whether a fleet that grows in proportion finds the processors that it needs, or nearly so. */
export function hasRoomFor(hosts: number, { busyShare, hosts: before }: FleetSample): boolean {
  return (busyShare * hosts) / before <= MOST_NEEDED;
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

function sampleOf(samples: readonly FleetSample[], hosts: number): FleetSample | undefined {
  return samples.find((sample) => sample.hosts === hosts);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
