import { formatMebibytes, formatRate, formatRatio, formatSeconds } from '../src/format-quantity.ts';
import type { Table } from '../src/format-table.ts';
import type { SampleSummary } from '../src/sample-summary.ts';
import { medianRatio, type MeasureResult } from './measure-result.ts';
import type { MemoryByPeer, PeerMemory } from './peer-memory.ts';
import { PEER_NAMES, PEER_TITLES, type PeerName } from './peer-name.ts';

const MISSING = '–';
const PEER_COLUMNS = PEER_NAMES.map((name) => PEER_TITLES[name]);

/** Speed: calls and events per second, or the time of one operation. */
export function speedTable(results: readonly MeasureResult[], rounds: number): Table {
  return {
    title: `Speed (median of ${rounds} rounds, ± half the distance between the fastest and the slowest)`,
    columns: ['measure', ...PEER_COLUMNS, 'vs C', 'vs Go'],
    rows: results.map((result) => [
      result.measure.title,
      ...PEER_NAMES.map((name) => speedCell(result, name)),
      formatRatio(medianRatio(result.wall, 'c')),
      formatRatio(medianRatio(result.wall, 'go')),
    ]),
  };
}

/** CPU time that the client's process spends on one operation. */
export function processorTable(results: readonly MeasureResult[]): Table {
  return {
    title: 'CPU time of the client process per operation',
    columns: ['measure', ...PEER_COLUMNS, 'vs C', 'vs Go'],
    rows: results.map(({ measure, cpu }) => [
      measure.title,
      ...PEER_NAMES.map((name) => formatSummary(cpu.get(name), formatSeconds)),
      formatRatio(medianRatio(cpu, 'c')),
      formatRatio(medianRatio(cpu, 'go')),
    ]),
  };
}

/** Memory of the client's process. */
export function memoryTable(memory: MemoryByPeer): Table {
  const row = (title: string, bytesOf: (peer: PeerMemory) => number): readonly string[] => [
    title,
    ...PEER_NAMES.map((name) => {
      const peer = memory.get(name);
      return peer ? formatMebibytes(bytesOf(peer)) : MISSING;
    }),
  ];
  return {
    title: 'Memory of the client process',
    columns: ['', ...PEER_COLUMNS],
    rows: [
      row('connected and idle, RSS', ({ idle }) => idle.residentBytes),
      row('connected and idle, PSS', ({ idle }) => idle.proportionalBytes),
      row('after the run, RSS', ({ after }) => after.residentBytes),
      row('after the run, PSS', ({ after }) => after.proportionalBytes),
    ],
  };
}

function speedCell({ measure, wall }: MeasureResult, name: PeerName): string {
  const format = measure.shownAs === 'rate' ? formatRateOf : formatSeconds;
  return formatSummary(wall.get(name), format);
}

function formatRateOf(secondsPerOperation: number): string {
  return formatRate(1 / secondsPerOperation);
}

function formatSummary(summary: SampleSummary | undefined, format: (value: number) => string): string {
  return summary ? `${format(summary.median)} ±${(summary.spread * 100).toFixed(0)}%` : MISSING;
}
