import { expect, it } from 'vitest';

import { BOX, layOutLifecycle } from './lifecycle-layout.ts';

const STATES = [
  { name: 'a', label: 'A', column: 0, row: 0 },
  { name: 'b', label: 'B', column: 1, row: 0 },
  { name: 'c', label: 'C', column: 1, row: 1 },
];

it('puts boxes on a grid that holds them all', () => {
  const { boxes, width, height } = layOutLifecycle(STATES, []);

  for (const { x, y } of boxes) {
    expect(x + BOX.width).toBeLessThanOrEqual(width);
    expect(y + BOX.height).toBeLessThanOrEqual(height);
  }
  expect(new Set(boxes.map(({ x, y }) => `${x} ${y}`)).size).toBe(3);
});

it('lets two arrows between the same boxes run beside each other', () => {
  const { lines } = layOutLifecycle(STATES, [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ]);

  const heights = lines.map(({ path }) => /M\S+ (\S+?)L/.exec(path)?.[1]);
  expect(heights[0]).not.toBe(heights[1]);
});

it('leads an arrow down from the lower edge, and curves where it goes both ways', () => {
  const { lines } = layOutLifecycle(STATES, [
    { from: 'b', to: 'c' },
    { from: 'a', to: 'c' },
  ]);

  expect(lines.map(({ path }) => /[LC]/.exec(path)?.[0])).toEqual(['L', 'C']);
});

it('leaves out arrows from and to states that are not there', () => {
  expect(layOutLifecycle(STATES, [{ from: 'a', to: 'nowhere' }]).lines).toEqual([]);
});

it('is empty for no states', () => {
  expect(layOutLifecycle([], []).boxes).toEqual([]);
});
