import { expect, it } from 'vitest';
import { rotatePeers } from './rotate-peers.ts';

it('lets each peer be first in turn', () => {
  const orders = [0, 1, 2, 3].map((round) => rotatePeers(['a', 'b', 'c'], round).join(''));

  expect(orders).toEqual(['abc', 'bca', 'cab', 'abc']);
});

it('has nobody to rotate when there are no peers', () => {
  expect(rotatePeers([], 3)).toEqual([]);
});
