import type { Instance } from '@smalt/fleet-api';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { instances } from './instances.ts';

it('lists those that run first, then by name, then by id', () => {
  const domains = [
    instance('b', 'u1', false),
    instance('a', 'u3', true),
    instance('B', 'u2', true),
    instance('a', 'u2', true),
    instance('a', 'u4', false),
  ];

  expect(instances(domains)).toEqual([
    instance('B', 'u2', true),
    instance('a', 'u2', true),
    instance('a', 'u3', true),
    instance('a', 'u4', false),
    instance('b', 'u1', false),
  ]);
});

it('tells no more of a domain than the status has room for', () => {
  const domain = { ...instance('a', 'u1', true), use: { vcpus: 4 } };

  expect(instances([domain])).toEqual([instance('a', 'u1', true)]);
});

it('gives the same list whatever order the domains come in', () => {
  const domain = fc.record({ name: fc.string({ maxLength: 2 }), id: fc.uuid(), active: fc.boolean() });
  const lists = fc
    .array(domain, { maxLength: 8 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));

  fc.assert(
    fc.property(lists, ([list, shuffled]) => {
      expect(instances(shuffled)).toEqual(instances(list));
    }),
  );
});

function instance(name: string, id: string, active: boolean): Instance {
  return { id, name, active };
}
