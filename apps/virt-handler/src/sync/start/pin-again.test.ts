import { expect, it } from 'vitest';

import { cpuMap } from './pin-again.ts';

it.each([
  [[0], [0b1]],
  [[1, 3], [0b1010]],
  [
    [8, 15],
    [0, 0b1000_0001],
  ],
])('the processors %j are the bits %j', (cpus, bytes) => {
  expect([...cpuMap(cpus)]).toEqual(bytes);
});
