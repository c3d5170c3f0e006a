import { describe, expect, it } from 'vitest';
import { costRatio, meanRatio, roundFigure } from './ratio.ts';

describe('costRatio', () => {
  it.each([
    { peer: 6, ours: 3, ratio: 2 },
    { peer: 3, ours: 6, ratio: 0.5 },
    { peer: undefined, ours: 3, ratio: null },
    { peer: 3, ours: undefined, ratio: null },
    { peer: 3, ours: 0, ratio: null },
  ])('of a peer at $peer and ours at $ours is $ratio', ({ peer, ours, ratio }) => {
    expect(costRatio(peer, ours)).toBe(ratio);
  });
});

describe('meanRatio', () => {
  it('lets twice as fast and half as fast cancel out', () => {
    expect(meanRatio([2, 0.5])).toBeCloseTo(1, 12);
  });

  it('is null when any ratio is missing, or all are', () => {
    expect(meanRatio([2, null])).toBeNull();
    expect(meanRatio([])).toBeNull();
  });
});

it('rounds figures to two decimals and leaves the missing ones missing', () => {
  expect([roundFigure(1.2345), roundFigure(0.996), roundFigure(null)]).toEqual([1.23, 1, null]);
});
