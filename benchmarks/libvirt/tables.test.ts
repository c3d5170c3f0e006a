import { expect, it } from 'vitest';
import type { ProcessMemory } from '../src/process-memory.ts';
import { type MeasureResult, summarizeAnswers } from './measure-result.ts';
import { type Measure, planMeasures } from './measures.ts';
import type { PeerAnswer } from './peer-answer.ts';
import { memoryTable, processorTable, speedTable } from './tables.ts';

it('shows calls as a rate and single operations as a time, with ratios that grow as we get faster', () => {
  const table = speedTable([result('serial_info'), result('connect')], 3);

  expect(table.rows).toEqual([
    ['domainGetInfo, serial', '1.00 k/s ±0%', '500 /s ±25%', '–', '2.00×', '–'],
    ['connect, open, close', '1.00 ms ±0%', '2.00 ms ±25%', '–', '2.00×', '–'],
  ]);
});

it('shows CPU time per operation', () => {
  expect(processorTable([result('connect')]).rows).toEqual([
    ['connect, open, close', '500 µs ±0%', '250 µs ±0%', '–', '0.50×', '–'],
  ]);
});

it('shows memory before and after, with a dash for the peer that is not at hand', () => {
  const table = memoryTable(new Map([['smalt', { idle: size(40), after: size(60) }]]));

  expect(table.rows.map((row) => row.slice(1))).toEqual([
    ['40.0 MiB', '–', '–'],
    ['20.0 MiB', '–', '–'],
    ['60.0 MiB', '–', '–'],
    ['30.0 MiB', '–', '–'],
  ]);
});

function result(key: string): MeasureResult {
  return summarizeAnswers(
    measure(key),
    new Map([
      ['smalt', [answer(1, 0.5)]],
      ['c', [answer(1.5, 0.25), answer(2.5, 0.25)]],
    ]),
  );
}

function answer(seconds: number, cpuSeconds: number): PeerAnswer {
  return { operations: 1_000, items: 1_000, seconds, cpuSeconds };
}

function size(mebibytes: number): ProcessMemory {
  return { residentBytes: mebibytes * 1024 ** 2, proportionalBytes: (mebibytes * 1024 ** 2) / 2 };
}

function measure(key: string): Measure {
  const found = planMeasures(false).find((candidate) => candidate.key === key);
  if (!found) throw new Error(`no measure ${key}`);
  return found;
}
