import { expect, it } from 'vitest';

import { missingSightings } from './cloud-readiness.ts';

it.each([
  {
    what: 'nothing when every host is seen everywhere',
    up: ['a', 'b'],
    hypervisors: ['b', 'a'],
    candidates: ['a', 'b'],
  },
  { what: 'a host that is not up', up: ['a'], missing: ['b is not up'] },
  { what: 'a host without a cell', hypervisors: ['b'], missing: ['a is not listed as a hypervisor'] },
  { what: 'a host without inventory', candidates: ['a'], missing: ['b is not a candidate for servers'] },
  { what: 'a host of a similar name', up: ['a', 'b1'], missing: ['b is not up'] },
])('tells of $what', ({ up, hypervisors, candidates, missing = [] }) => {
  const all = ['a', 'b'];

  const found = missingSightings(all, {
    up: up ?? all,
    hypervisors: hypervisors ?? all,
    candidates: candidates ?? all,
  });

  expect(found).toEqual(missing);
});
