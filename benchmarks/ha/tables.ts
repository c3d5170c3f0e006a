import { formatMebibytes, formatRate, formatSeconds } from '../src/format-quantity.ts';
import type { Table } from '../src/format-table.ts';
import type { FloodResult, HaResults, MasakariResult } from './ha-result.ts';

const STORE_TITLES: Readonly<Record<FloodResult['store'], string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** All that was measured. */
export function haTables({ floods, fleet, decision, rescue, masakari }: HaResults): readonly Table[] {
  return [
    floodTable(floods, masakari),
    {
      title: `${fleet.hosts} hosts that report every ${fleet.intervalMs / 1_000} s, and are judged`,
      columns: ['measure', 'the service'],
      rows: [
        ['of one processor', `${(fleet.cpuShare * 100).toFixed(1)} %`],
        ['resident memory, at the end', formatMebibytes(fleet.residentBytes)],
        ['resident memory, peak', formatMebibytes(fleet.peakBytes)],
        ['batch until acknowledged, p50', formatSeconds(fleet.p50Ms / 1_000)],
        ['batch until acknowledged, p99', formatSeconds(fleet.p99Ms / 1_000)],
      ],
    },
    {
      title: 'From dead to rebuilt',
      columns: ['measure', 'median', 'worst'],
      rows: [
        [
          `${decision.hosts} hosts judged`,
          formatSeconds(decision.medianMs / 1_000),
          formatSeconds(decision.worstMs / 1_000),
        ],
        ['threshold until the first instance is rebuilt', ...rescueCells(rescue.seconds)],
      ],
    },
  ];
}

function floodTable(floods: readonly FloodResult[], masakari: MasakariResult | undefined): Table {
  const row = (
    title: string,
    cell: (result: FloodResult) => string,
    peerCell: (result: MasakariResult) => string = () => '–',
  ): readonly string[] => [title, ...floods.map(cell), masakari === undefined ? '–' : peerCell(masakari)];
  return {
    title: `${floods[0]?.agents} agents that send as fast as they are answered`,
    columns: ['measure', ...floods.map(({ store }) => STORE_TITLES[store]), 'masakari-api'],
    rows: [
      row(
        'batches stored',
        ({ perSecond }) => formatRate(perSecond),
        ({ perSecond }) => formatRate(perSecond),
      ),
      row(
        'until acknowledged, p50',
        ({ p50Ms }) => formatSeconds(p50Ms / 1_000),
        ({ p50Ms }) => formatSeconds(p50Ms / 1_000),
      ),
      row(
        'until acknowledged, p99',
        ({ p99Ms }) => formatSeconds(p99Ms / 1_000),
        ({ p99Ms }) => formatSeconds(p99Ms / 1_000),
      ),
      row('CPU time per batch', ({ cpuSecondsPerBatch }) => formatSeconds(cpuSecondsPerBatch)),
    ],
  };
}

function rescueCells(seconds: readonly number[]): readonly string[] {
  const sorted = seconds.toSorted((one, other) => one - other);
  return [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((each) => formatSeconds(each ?? 0));
}
