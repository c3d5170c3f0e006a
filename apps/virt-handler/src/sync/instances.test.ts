import type { InformerLists } from '@smalt/controller-runtime';
import { expect, it } from 'vitest';

import { Instances } from './instances.ts';

it.each([
  { what: 'both', placed: lists(3, 2, 200), coming: lists(2, 1, 100), all: lists(5, 3, 100) },
  { what: 'one', placed: lists(3, 3, 200), coming: lists(1, 0, undefined), all: lists(4, 3, -Infinity) },
  { what: 'none', placed: lists(1, 0, undefined), coming: lists(0, 0, undefined), all: lists(1, 0, -Infinity) },
])('has had all instances since the older list where $what of its caches has', ({ placed, coming, all }) => {
  const informers = [{ lists: placed }, { lists: coming }];

  const instances = new Instances(Object({ for: () => informers.shift() }), 'node-1');

  expect(instances.lists).toEqual(all);
});

function lists(begun: number, kept: number, keptBegunAt: number | undefined): InformerLists {
  return { begun, kept, keptBegunAt };
}
