import { formatMebibytes, formatSeconds } from '../src/format-quantity.ts';
import type { Table } from '../src/format-table.ts';
import { callsPerHostMinute, cpuShare, PAID, residentBytes, watchBytesPerHostMinute } from './figures.ts';
import { PARTS, type FleetResult, type FleetSample } from './fleet-result.ts';
import { SERVER_TITLES } from './server-name.ts';

/** What less than this share of all requests is about is left out. */
const LEAST_SHARE = 0.002;
const KIBIBYTE = 1024;

/** All that was measured, server by server. */
export function fleetTables(results: readonly FleetResult[]): readonly Table[] {
  return results.flatMap((result) => [
    summaryTable(result),
    processTable(result),
    requestTable(result),
    watchTable(result),
  ]);
}

function summaryTable({ server, samples }: FleetResult): Table {
  const rows: readonly (readonly [string, (sample: FleetSample) => string])[] = [
    ['machines', ({ machines }) => String(machines)],
    ...PARTS.map((part) => [`CPU of ${part}`, (sample: FleetSample) => percent(cpuShare(sample, [part]))] as const),
    [
      'CPU of a host (server, controllers, agents)',
      (sample) => `${((cpuShare(sample, PAID) / sample.hosts) * 1_000).toFixed(2)} ms/s`,
    ],
    ...PARTS.map(
      (part) => [`memory of ${part}`, (sample: FleetSample) => formatMebibytes(residentBytes(sample, [part]))] as const,
    ),
    ['API calls of a host', (sample) => `${callsPerHostMinute(sample).toFixed(1)} /min`],
    ['written to watches for a host', (sample) => `${kibibytes(watchBytesPerHostMinute(sample))} /min`],
    ['open watches', ({ openWatches }) => String(openWatches)],
    ['restarts, those of a drained host included', ({ restarts }) => String(restarts)],
    ['machines brought up', ({ broughtUpMachines }) => String(broughtUpMachines)],
    ['in', ({ broughtUpSeconds }) => `${broughtUpSeconds.toFixed(0)} s`],
    ['CPU time of each', (sample) => formatSeconds(sample.broughtUpCpuSeconds / sample.broughtUpMachines)],
    ['all processors of this machine busy', ({ busyShare }) => percent(busyShare)],
  ];
  return {
    title: `A fleet on ${SERVER_TITLES[server]}; CPU as a share of one processor`,
    columns: ['hosts', ...sizes(samples)],
    rows: rows.map(([name, show]) => [name, ...samples.map(show)]),
  };
}

function processTable({ server, samples }: FleetResult): Table {
  const names = samples.at(-1)?.costs.map(({ name }) => name) ?? [];
  return {
    title: `Process by process on ${SERVER_TITLES[server]}`,
    columns: ['hosts', ...sizes(samples)],
    rows: names.map((name) => [name, ...samples.map((sample) => costCell(sample, name))]),
  };
}

function costCell({ costs, seconds }: FleetSample, name: string): string {
  const cost = costs.find((each) => each.name === name);
  return cost === undefined ? '–' : `${percent(cost.cpuSeconds / seconds)}, ${formatMebibytes(cost.residentBytes)}`;
}

function requestTable({ server, samples }: FleetResult): Table {
  const last = samples.at(-1);
  const all = last?.requests.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const shown = last?.requests.filter(({ count }) => count > all * LEAST_SHARE) ?? [];
  return {
    title: `Requests of a host in a minute on ${SERVER_TITLES[server]}`,
    columns: ['hosts', ...sizes(samples)],
    rows: shown.map(({ verb, resource }) => [
      `${verb} ${resource}`,
      ...samples.map(({ requests, hosts, seconds }) => {
        const found = requests.find((each) => each.verb === verb && each.resource === resource);
        return (((found?.count ?? 0) * 60) / (hosts * seconds)).toFixed(2);
      }),
    ]),
  };
}

function watchTable({ server, samples }: FleetResult): Table {
  const names = samples.at(-1)?.watches.map(({ resource }) => resource) ?? [];
  return {
    title: `Written to watches for a host in a minute on ${SERVER_TITLES[server]}`,
    columns: ['hosts', ...sizes(samples)],
    rows: names.map((name) => [name, ...samples.map((sample) => watchCell(sample, name))]),
  };
}

function watchCell({ watches, hosts, seconds }: FleetSample, name: string): string {
  const { events = 0, bytes = 0 } = watches.find(({ resource }) => resource === name) ?? {};
  const perHostMinute = 60 / (hosts * seconds);
  return `${(events * perHostMinute).toFixed(2)} events, ${kibibytes(bytes * perHostMinute)}`;
}

function sizes(samples: readonly FleetSample[]): readonly string[] {
  return samples.map(({ hosts }) => String(hosts));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function kibibytes(bytes: number): string {
  return `${(bytes / KIBIBYTE).toFixed(1)} KiB`;
}
