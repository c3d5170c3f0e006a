import { percentile } from '../api/percentile.ts';
import { formatRate, formatSeconds } from '../src/format-quantity.ts';
import type { Table } from '../src/format-table.ts';
import { summarizeSamples } from '../src/sample-summary.ts';
import type { ConsoleResults, LoadedFile } from './console-result.ts';

/** All that was measured. */
export function consoleTables({ machines, files, paints, frames, upMs }: ConsoleResults): readonly Table[] {
  return [
    filesTable(files),
    {
      title: `The list of ${machines} machines with an empty cache, and smalt up; median and spread`,
      columns: ['measure', 'time'],
      rows: [
        timeRow(
          'first content painted',
          paints.map(({ firstContentMs }) => firstContentMs),
        ),
        timeRow(
          'first rows stand',
          paints.map(({ rowsMs }) => rowsMs),
        ),
        timeRow('smalt up until it is ready', upMs),
      ],
    },
    {
      title: `Frames of the list at ${formatRate(frames.updates / frames.seconds)} changes`,
      columns: ['measure', 'value'],
      rows: [
        ['frames', String(frames.frames.length)],
        ['p50', milliseconds(percentile(frames.frames, 0.5))],
        ['p99', milliseconds(percentile(frames.frames, 0.99))],
        ['longest', milliseconds(Math.max(...frames.frames))],
      ],
    },
  ];
}

function filesTable(files: readonly LoadedFile[]): Table {
  const total = (bytes: (file: LoadedFile) => number): string =>
    kilobytes(files.reduce((sum, file) => sum + bytes(file), 0));
  return {
    title: 'What the first page loads',
    columns: ['file', 'by gzip', 'as this browser got it'],
    rows: [
      ...files.map(({ path, gzipBytes, sentBytes }) => [path, kilobytes(gzipBytes), kilobytes(sentBytes)]),
      ['all', total(({ gzipBytes }) => gzipBytes), total(({ sentBytes }) => sentBytes)],
    ],
  };
}

function timeRow(name: string, samples: readonly number[]): readonly string[] {
  const { median, spread } = summarizeSamples(samples) ?? { median: 0, spread: 0 };
  return [name, `${milliseconds(median)} ± ${(spread * 100).toFixed(0)} %`];
}

function milliseconds(value: number): string {
  return formatSeconds(value / 1_000);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
