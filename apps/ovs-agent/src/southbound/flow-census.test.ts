import { expect, it } from 'vitest';

import { missingPorts, removeExplained } from './flow-census.ts';

it('takes a cookie for explained by a row whose uuid begins with it', () => {
  const cookies = new Map([
    [0xccad8e86n, 3],
    [0x0000beefn, 2],
    [0xdeadbeefn, 1],
  ]);

  removeExplained(cookies, ['ccad8e86-0000-4000-8000-000000000000', '0000beef-1111-4000-8000-000000000000']);

  expect(cookies).toEqual(new Map([[0xdeadbeefn, 1]]));
});

it('tells ports that are named and not there', () => {
  const named = new Map([
    [1, 5],
    [4, 2],
  ]);

  expect(missingPorts(named, new Set([1, 2]))).toEqual(new Map([[4, 2]]));
});
