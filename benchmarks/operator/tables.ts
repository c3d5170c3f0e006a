import { formatMebibytes, formatSeconds } from '../src/format-quantity.ts';
import type { Table } from '../src/format-table.ts';
import { OPERATOR_TITLES } from './operator-name.ts';
import type { DrainResult, OnboardingResult } from './operator-result.ts';

/** Each operator with each number of nodes, side by side. */
export function onboardingTable(results: readonly OnboardingResult[]): Table {
  const row = (title: string, cell: (result: OnboardingResult) => string): readonly string[] => [
    title,
    ...results.map(cell),
  ];
  return {
    title: 'Nodes that appear at once, until all are onboarded',
    columns: ['measure', ...results.map(({ operator, nodes }) => `${OPERATOR_TITLES[operator]}, ${nodes}`)],
    rows: [
      row('until the last node is there', ({ createdSeconds }) => formatSeconds(createdSeconds)),
      row('until half are onboarded', ({ halfSeconds }) => formatSeconds(halfSeconds)),
      row('until all are onboarded', ({ seconds }) => formatSeconds(seconds)),
      row('CPU time per host', ({ cpuSeconds, nodes }) => formatSeconds(cpuSeconds / nodes)),
      row('the same of the API server', ({ apiServerCpuSeconds, nodes }) => formatSeconds(apiServerCpuSeconds / nodes)),
      row('the same of OpenStack', ({ cloudCpuSeconds, nodes }) => formatSeconds(cloudCpuSeconds / nodes)),
      row('API calls per host', ({ apiCalls, nodes }) => (apiCalls / nodes).toFixed(1)),
      row('OpenStack calls per host', ({ cloudCalls, nodes }) => (cloudCalls / nodes).toFixed(1)),
      row('resident memory, at the end', ({ residentBytes }) => formatMebibytes(residentBytes)),
      row('resident memory, peak', ({ peakBytes }) => formatMebibytes(peakBytes)),
    ],
  };
}

/** The same host emptied as by default, and one server at a time. */
export function drainTable(results: readonly DrainResult[]): Table {
  const row = (title: string, cell: (result: DrainResult) => string): readonly string[] => [
    title,
    ...results.map(cell),
  ];
  return {
    title: `A host of ${results[0]?.servers} servers that is emptied by ours`,
    columns: ['measure', ...results.map(({ limit }) => (limit === undefined ? 'by default' : `${limit} at a time`))],
    rows: [
      row('until it is empty', ({ seconds }) => formatSeconds(seconds)),
      row('most moves at a time', ({ mostMoves }) => String(mostMoves)),
      row('OpenStack calls per server', ({ cloudCalls, servers }) => (cloudCalls / servers).toFixed(1)),
    ],
  };
}
