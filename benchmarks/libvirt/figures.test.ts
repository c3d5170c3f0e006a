import { expect, it } from 'vitest';
import { libvirtFigures, TARGETS } from './figures.ts';
import { type MeasureResult, summarizeAnswers } from './measure-result.ts';
import { planMeasures } from './measures.ts';
import type { PeerName } from './peer-name.ts';

it('is above one where the peer takes longer, by group and by measure', () => {
  const figures = libvirtFigures(results({ smalt: 1, c: 1.5, go: 3 }), new Map());

  expect(figures).toMatchObject({
    serial_vs_c: expect.closeTo(1.5),
    pipelined_vs_go: expect.closeTo(3),
    stats1000_vs_c: expect.closeTo(1.5),
    connect_vs_c: expect.closeTo(1.5),
  });
});

it('is null for a peer that is not at hand', () => {
  const figures = libvirtFigures(results({ smalt: 1, c: 2 }), new Map());

  expect(figures['pipelined_vs_go']).toBeNull();
  expect(figures['pipelined_vs_c']).toBeCloseTo(2);
});

it('has a figure for every target', () => {
  const figures = libvirtFigures(results({ smalt: 1, c: 1, go: 1 }), new Map());

  expect(Object.keys(TARGETS).filter((name) => typeof figures[name] !== 'number')).toEqual([]);
});

function results(seconds: Partial<Record<PeerName, number>>): readonly MeasureResult[] {
  const answers = new Map(
    (['smalt', 'c', 'go'] as const).map((name) => {
      const wall = seconds[name];
      return [name, wall === undefined ? [] : [{ operations: 1, items: 1, seconds: wall, cpuSeconds: wall }]];
    }),
  );
  return planMeasures(true).map((measure) => summarizeAnswers(measure, answers));
}
